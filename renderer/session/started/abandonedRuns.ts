import type { StoredRun } from '../../../engine/records/run.ts'

/** The runs of a kernel that has ended, by key, until the host knows that too: by the connection of the kernel, a little later. */
const abandonedRuns = new Set<string>()

/** Notes that this page no longer trains these runs. */
export function noteAbandoned(keys: string[]): void {
  for (const key of keys) abandonedRuns.add(key)
}

/** Notes that this page trains these runs again. */
export function noteResumed(keys: string[]): void {
  for (const key of keys) abandonedRuns.delete(key)
}

/** The runs that are really in training, of the runs that the host lists as running. */
export function withoutAbandoned(running: StoredRun[]): StoredRun[] {
  const found = running.filter(({ key }) => !abandonedRuns.has(key))
  const keys = new Set(running.map(({ key }) => key))
  for (const key of abandonedRuns) if (!keys.has(key)) abandonedRuns.delete(key)
  return found
}
