/** Metrics of how a run is trained: those that measure the machine, which the same run gives others of each time. */
export const STEP_MS = 'train/step_ms'
export const WAIT_MS = 'train/wait_ms'
export const AUGMENT_THREADS = 'train/augment_threads'
export const MEMORY_BYTES = 'train/memory_bytes'
export const EXAMPLES_PER_SECOND = 'examples_per_second' // below the name of a split
/** What the recipe says. */
export const LEARNING_RATE = 'train/learning_rate'

/** Whether a metric says how the run was trained, by the clock or by the recipe, and not what was learned. */
export function isTiming(metric: string): boolean {
  const own = [STEP_MS, WAIT_MS, AUGMENT_THREADS, MEMORY_BYTES, LEARNING_RATE]
  return own.includes(metric) || metric.endsWith(`/${EXAMPLES_PER_SECOND}`)
}
