/** Whether more is better in a metric, by its name: for accuracies, F1, exact matches and throughput, else less is. */
export function higherIsBetter(metric: string): boolean {
  return /accuracy|top|f1|exact|per_second/.test(metric)
}

/** Whether a metric is a share between 0 and 1, by its name; tables show it as a percentage. */
export function isShare(metric: string): boolean {
  return /accuracy|top\d|f1|exact/.test(metric) && !metric.includes('per_second')
}
