/**
 * The numbers of steps done after which `count` snapshots are taken: evenly spaced, from 0, the initial weights, on. The
 * last weights are kept anyway.
 */
export function snapshotSteps(count: number, steps: number): Set<number> {
  return new Set(Array.from({ length: count }, (_, i) => Math.floor((i * steps) / count)))
}
