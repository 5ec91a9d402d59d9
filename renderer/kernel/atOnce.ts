/** How runs share the processor. */
export interface Sharing {
  /** Runs at a time. */
  runs: number
  /** Threads of each. */
  threads: number
}

/** Fewer threads of a run than this leave it slower than its share of the processor. */
const THREADS = 2
/** Each run holds the data and its activations by itself. */
const MOST = 4

/**
 * How many of the runs that wait are trained side by side on `cores`: as many as wanted, or, for null, one for every two
 * cores and at most four; never more than wait. Together they have at most as many threads as there are cores, unless
 * more runs than cores are wanted. Nothing is measured; the results have the same bits either way.
 */
export function atOnce(wanted: number | null, waiting: number, cores: number): Sharing {
  const most = wanted ?? Math.min(MOST, Math.floor(cores / THREADS))
  const runs = Math.max(1, Math.min(most, waiting))
  return { runs, threads: Math.max(1, Math.floor(cores / runs)) }
}
