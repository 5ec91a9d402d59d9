import { useMemo, useState } from 'react'
import type { ShownRun } from '../weights/shownRun.ts'
import { WeightsView } from '../weights/WeightsView.tsx'
import type { ComparedGroup } from './groups.ts'

/** What is inside of one run of each group, beside each other; it is read when the section is opened. */
export function WeightsSection({ groups }: { groups: readonly ComparedGroup[] }) {
  const [open, setOpen] = useState(false)
  const names = JSON.stringify(groups.flatMap(shownOf))
  const runs = useMemo(() => JSON.parse(names) as ShownRun[], [names])
  if (runs.length === 0) return null
  return (
    <section aria-labelledby="weights-head" data-testid="weights-section">
      <h2 id="weights-head">Inside</h2>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{runs.map(({ label }) => label).join('; ')}</summary>
        {open && <WeightsView runs={runs} />}
      </details>
    </section>
  )
}

/** The first run of a group that has weights, or is in training. */
function shownOf({ name, runs }: ComparedGroup): ShownRun[] {
  const run = runs.find(({ hasWeights, status }) => hasWeights || status === 'running')
  return run ? [{ id: run.id, label: `${name}, seed ${run.seed}`, live: run.status === 'running' }] : []
}
