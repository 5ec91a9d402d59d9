import type { StoredRun } from '../records/run.ts'

/** A run as a study names it. */
interface Named {
  key: string
  variant: string
  seed: number
}

/**
 * The runs of the store under the names that a study gives them: runs are found by key, whatever they were called when
 * they were trained. A run that has several names is there once for each.
 */
export function namedRuns(names: readonly Named[], stored: readonly StoredRun[]): StoredRun[] {
  const known = new Map(stored.map((run) => [run.key, run]))
  return names.flatMap(({ key, variant, seed }) => {
    const run = known.get(key)
    return run ? [{ ...run, variant, seed }] : []
  })
}
