import type { PlannedRun } from '../../records/run.ts'

/** The runs that places were offered, and that nobody has begun, by key; whoever aborts takes one back. */
export type Offered = Map<string, { run: PlannedRun; back: AbortController }>

/** Takes back all of them, or those of a variant; returns their keys. */
export function takeBack(offered: Offered, variant?: string): string[] {
  const taken = [...offered.values()].filter(({ run }) => variant === undefined || run.variant === variant)
  for (const { run, back } of taken) {
    offered.delete(run.key)
    back.abort()
  }
  return taken.map(({ run }) => run.key)
}
