import type { RunStatus } from '../records/run.ts'

/** The fields of a run that say where it was trained; a run of a study that shows it, or of the store. */
export interface TrainedRun {
  status: RunStatus | 'waiting'
  /** The notebook that trained it; left out where that is not known. */
  notebook?: string | null | undefined
}

/** The notebook that trained a result, where another notebook shows it; else null. */
export function sourceNotebook({ status, notebook }: TrainedRun, shown: string | null | undefined): string | null {
  return status === 'done' && shown && notebook && notebook !== shown ? notebook : null
}

/** The same of several runs, in words: `2 taken from notebook b.ts`; '' for none. */
export function sourceNotebookText(runs: readonly TrainedRun[], shown: string | null | undefined): string {
  const counts = new Map<string, number>()
  for (const run of runs) {
    const other = sourceNotebook(run, shown)
    if (other !== null) counts.set(other, (counts.get(other) ?? 0) + 1)
  }
  return [...counts].map(([other, count]) => `${count} taken from notebook ${other}`).join(', ')
}
