// The names of metrics: the split they were measured on, a slash, and what was measured.

/** The examples that are evaluated on the way: curves, the best weights and all choosing are theirs. */
export const VALIDATION = 'validation'
/** The examples that are evaluated once, at the end of a run, with the weights that validation chose. */
export const TEST = 'test'
/** The training examples; what is evaluated of them is a fixed part. */
export const TRAIN = 'train'
/** What stands before the names of read-outs. */
export const READOUT = 'readout'
/** The metric that holds the step whose weights were tested. */
export const CHOSEN_STEP = 'chosen/step'
/** The split of runs from before there were three: test examples by which these runs also chose their weights. */
const LEGACY_SPLIT = 'eval'
const USED = '(test, also used for choosing)'

/** What is measured, without the split: `accuracy` of `test/accuracy`. */
export function measureOf(metric: string): string {
  return metric.slice(metric.indexOf('/') + 1)
}

/** The split of a metric; '' for a name without one. */
export function splitOf(metric: string): string {
  return metric.slice(0, Math.max(0, metric.indexOf('/')))
}

/** The validation metric that selects the best weights where variants are compared by `metric`. */
export function selectionMetric(metric: string): string {
  return `${VALIDATION}/${measureOf(metric)}`
}

/**
 * The metric, of `known`, whose curve is shown in place of the curve of `metric`: tests are evaluated once and have no
 * curve.
 */
export function curveOf(metric: string, known: readonly string[]): string {
  if ([TRAIN, READOUT].includes(splitOf(metric)) || isLegacyMetric(metric)) return metric
  return known.includes(selectionMetric(metric)) ? selectionMetric(metric) : metric
}

/** Whether a metric is from before there were three splits: its run also chose its weights by these test examples. */
export function isLegacyMetric(metric: string): boolean {
  return splitOf(metric) === LEGACY_SPLIT
}

/** The current name of a metric from before there were three splits: `test/accuracy` for `eval/accuracy`; others stay. */
export function migrateMetricName(metric: string): string {
  return isLegacyMetric(metric) ? `${TEST}/${measureOf(metric)}` : metric
}

/** What a report of a split is called. */
export function splitTitle(split: string): string {
  return split === LEGACY_SPLIT ? `${split} ${USED}` : split
}

/**
 * What tables and charts call a metric, or a value of it: an old one says what its examples were used for, a read-out of
 * the test that was added after looking that it is exploratory.
 */
export function metricTitle(name: string, metric = name, exploratory = false): string {
  if (exploratory) return `${name} (exploratory)`
  return isLegacyMetric(metric) ? `${name} ${USED}` : name
}
