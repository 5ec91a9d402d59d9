/** Metrics that measure the machine: the same run gives others each time. */
export const STEP_MS = 'train/step_ms'
export const EXAMPLES_PER_SECOND = 'examples_per_second' // below the name of a split

/** Whether a metric measures the machine, and not what was learned. */
export function isTiming(metric: string): boolean {
  return metric === STEP_MS || metric.endsWith(`/${EXAMPLES_PER_SECOND}`)
}
