import type { StoredRun } from '../../../engine/records/run.ts'

/** The runs of a kernel that has ended, by key, until the host knows that too: by the connection of the kernel, a little later. */
const givenUp = new Set<string>()

/** Notes that runs are not trained here any more. */
export function giveUp(keys: string[]): void {
  for (const key of keys) givenUp.add(key)
}

/** Notes that runs are to be trained here again. */
export function takeUpAgain(keys: string[]): void {
  for (const key of keys) givenUp.delete(key)
}

/** Those of the runs that the host has in training of which that is true. */
export function trulyRunning(running: StoredRun[]): StoredRun[] {
  const found = running.filter(({ key }) => !givenUp.has(key))
  const keys = new Set(running.map(({ key }) => key))
  for (const key of givenUp) if (!keys.has(key)) givenUp.delete(key)
  return found
}
