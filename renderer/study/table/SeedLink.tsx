import { cellText } from '../../../engine/runs/format.ts'
import type { RunView } from '../../protocol/study.ts'
import { runHash } from '../../ui/route.ts'
import { columnOf } from './comparisonTable.ts'
import { type Chosen, chosenValue } from './values.ts'

/** The seed of a run, which leads to its page once it has begun. */
export function SeedLink({ run, chosen }: { run: RunView; chosen: Chosen }) {
  const { id, seed, status } = run
  const value = run.status === 'done' ? chosenValue(run, chosen) : undefined
  const label = `seed ${seed}: ${value === undefined ? status : cellText(columnOf(chosen), value)}`
  if (id === null) {
    return (
      <span className="seed" data-status={status} title={label}>
        {seed}
      </span>
    )
  }
  return (
    <a className="seed" data-status={status} href={runHash(id)} title={label} aria-label={`${run.variant}, ${label}`}>
      {seed}
    </a>
  )
}
