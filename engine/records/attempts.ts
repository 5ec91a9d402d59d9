import type { StoredRun } from './run.ts'

/** The current attempt at each run: the one that is done, or else the newest; archived attempts are left out. */
export function currentAttempts(runs: readonly StoredRun[]): StoredRun[] {
  const byKey = Map.groupBy(
    runs.filter(({ archived }) => !archived),
    ({ key }) => key,
  )
  return [...byKey.values()].flatMap((attempts) => {
    const done = attempts.filter(({ status }) => status === 'done')
    return (done.length > 0 ? done : attempts).toSorted((a, b) => b.id - a.id).slice(0, 1)
  })
}
