import type { StoredRun } from './run.ts'

/** Of the attempts at each run the one that counts: what is done, or else the newest; none that is archived. */
export function newestOf(runs: readonly StoredRun[]): StoredRun[] {
  const byKey = Map.groupBy(
    runs.filter(({ archived }) => !archived),
    ({ key }) => key,
  )
  return [...byKey.values()].flatMap((attempts) => {
    const done = attempts.filter(({ status }) => status === 'done')
    return (done.length > 0 ? done : attempts).toSorted((a, b) => b.id - a.id).slice(0, 1)
  })
}
