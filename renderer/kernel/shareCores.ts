/** How runs share the processor. */
export interface CoreSharing {
  /** Runs at a time. */
  runs: number
  /** Threads of each. */
  threads: number
}

/** Fewer threads of a run than this leave it slower than its share of the processor. */
const MIN_THREADS = 2
/** Each run holds the data and its activations by itself. */
const MAX_PARALLEL_RUNS = 4

/**
 * How many of the runs that wait are trained side by side on `cores`: as many as wanted, or, for null, one for every two
 * cores and at most four; never more than wait. Together they have at most as many threads as there are cores, unless
 * more runs than cores are wanted. Nothing is measured; the results have the same bits either way.
 */
export function shareCores(wanted: number | null, waiting: number, cores: number): CoreSharing {
  const most = wanted ?? Math.min(MAX_PARALLEL_RUNS, Math.floor(cores / MIN_THREADS))
  const runs = Math.max(1, Math.min(most, waiting))
  return { runs, threads: Math.max(1, Math.floor(cores / runs)) }
}
