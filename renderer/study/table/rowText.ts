import type { RunView } from '../../protocol/study.ts'

const ORDER: RunView['status'][] = ['done', 'running', 'waiting', 'failed', 'interrupted']

/** `done`, or how many of the runs are in which state. `running`: those that wait will be trained. */
export function runCounts(runs: Pick<RunView, 'status'>[], running: boolean): string {
  const present = ORDER.map((status) => ({
    word: status === 'waiting' && !running ? 'not run' : status,
    count: runs.filter((run) => run.status === status).length,
  })).filter(({ count }) => count > 0)
  if (present.length === 1) return present[0]?.word ?? ''
  return present.map(({ word, count }) => `${count} ${word}`).join(', ')
}
