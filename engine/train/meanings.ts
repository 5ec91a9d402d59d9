import type { MetricMeaning } from '../records/meaning.ts'

// What the metrics of the loop itself mean.

/** The mean over examples; all tasks have cross entropies. */
export const LOSS: MetricMeaning = { better: 'lower', unit: 'nats', bounds: [0, null], words: 'loss' }
/** Steps done when the weights were taken that the tests were evaluated with. */
export const CHOSEN: MetricMeaning = { unit: 'steps', bounds: [0, null], words: 'step of the tested weights' }
export const GRADIENT_NORM: MetricMeaning = { bounds: [0, null], words: 'norm of the gradient' }
export const STEP_TIME: MetricMeaning = { better: 'lower', unit: 'ms', bounds: [0, null], words: 'time of a step' }
export const WAIT_TIME: MetricMeaning = {
  better: 'lower',
  unit: 'ms',
  bounds: [0, null],
  words: 'time of a step for its data',
}
export const THREADS: MetricMeaning = { unit: 'threads', bounds: [0, null], words: 'threads that augment' }
export const MEMORY: MetricMeaning = {
  better: 'lower',
  unit: 'bytes',
  bounds: [0, null],
  words: 'memory that the backend holds',
}
export const RATE: MetricMeaning = { bounds: [0, null], words: 'learning rate' }
export const PACE: MetricMeaning = { better: 'higher', unit: 'examples/s', bounds: [0, null], words: 'pace' }
