import type { VariantRow } from '../../engine/study/summary.ts'
import type { RunView } from './view.ts'

/** `0.9312 ± 0.0041`; without the deviation for one run, a dash for none. */
export function spreadText({ mean, sd }: Pick<VariantRow, 'mean' | 'sd'>): string {
  if (mean === null) return '–'
  const digits = digitsFor(Math.abs(mean))
  return sd === null ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${sd.toFixed(digits)}`
}

function digitsFor(size: number): number {
  if (size >= 100) return 1
  if (size >= 10) return 2
  return size >= 0.01 || size === 0 ? 4 : 6
}

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
