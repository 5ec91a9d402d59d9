import type { MetricMeaning } from '../records/meaning.ts'

/** Metrics that measure the machine: the same run gives others each time. */
export const STEP_MS = 'train/step_ms'
export const EXAMPLES_PER_SECOND = 'examples_per_second' // below the name of a split

export const STEP_TIME: MetricMeaning = { better: 'lower', unit: 'ms', bounds: [0, null], words: 'time of a step' }
export const PACE: MetricMeaning = { better: 'higher', unit: 'examples/s', bounds: [0, null], words: 'pace' }

/** Whether a metric measures the machine, and not what was learned. */
export function isTiming(metric: string): boolean {
  return metric === STEP_MS || metric.endsWith(`/${EXAMPLES_PER_SECOND}`)
}
