import type { RunStatus } from '../records/run.ts'

/** What tells where a run was trained; one of a study that shows it, or of the store. */
export interface Trained {
  status: RunStatus | 'waiting'
  /** The notebook that trained it; left out where that is not known. */
  notebook?: string | null | undefined
}

/** The notebook that a result was taken from, where it is another than the one that shows it; else null. */
export function takenFrom({ status, notebook }: Trained, shown: string | null | undefined): string | null {
  return status === 'done' && shown && notebook && notebook !== shown ? notebook : null
}

/** The same of several runs, in words: `2 taken from notebook b.ts`; '' for none. */
export function takenText(runs: readonly Trained[], shown: string | null | undefined): string {
  const counts = new Map<string, number>()
  for (const run of runs) {
    const other = takenFrom(run, shown)
    if (other !== null) counts.set(other, (counts.get(other) ?? 0) + 1)
  }
  return [...counts].map(([other, count]) => `${count} taken from notebook ${other}`).join(', ')
}
