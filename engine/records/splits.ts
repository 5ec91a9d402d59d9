// The names of metrics: the split they were measured on, a slash, and what was measured.

/** The examples that are evaluated on the way: curves, the best weights and all choosing are theirs. */
export const VALIDATION = 'validation'
/** The examples that are evaluated once, at the end of a run, with the weights that validation chose. */
export const TEST = 'test'
/** What runs of before there were three splits call their test examples, by which they also chose. */
const BOTH = 'eval'

/** What is measured, without the split: `accuracy` of `test/accuracy`. */
export function measureOf(metric: string): string {
  return metric.slice(metric.indexOf('/') + 1)
}

/** The split of a metric; '' for a name without one. */
export function splitOf(metric: string): string {
  return metric.slice(0, Math.max(0, metric.indexOf('/')))
}

/** The metric that chooses weights where variants are compared by `metric`, and whose curve stands for it. */
export function choosing(metric: string): string {
  return splitOf(metric) === 'train' ? metric : `${VALIDATION}/${measureOf(metric)}`
}

/** Whether a metric is of test examples by which its run also chose, as it was before there were three splits. */
export function isOld(metric: string): boolean {
  return splitOf(metric) === BOTH
}

/** The metric that a name of before means today: `test/accuracy` for `eval/accuracy`; others are as they are. */
export function renewed(metric: string): string {
  return isOld(metric) ? `${TEST}/${measureOf(metric)}` : metric
}

/** A metric as tables and charts call it: an old one says what its examples were used for. */
export function metricTitle(metric: string): string {
  return isOld(metric) ? `${metric} (test, also used for choosing)` : metric
}
