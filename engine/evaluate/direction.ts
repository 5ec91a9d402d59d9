/** Whether more is better in a metric, by its name: for accuracies, F1, exact matches and throughput, else less is. */
export function higherIsBetter(metric: string): boolean {
  return /accuracy|top|f1|exact|per_second/.test(metric)
}
