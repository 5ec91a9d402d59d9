import { useMemo, useState } from 'react'
import type { RunView, StudyView } from '../protocol/study.ts'
import { Choice } from '../ui/Choice.tsx'
import type { ShownRun } from './shownRun.ts'
import { WeightsView } from './WeightsView.tsx'

/** Runs that have begun. */
type Begun = RunView & { id: number }

const LATEST = ''

/** What is inside of the models of a study: of the run in training, or the last one, or of one that is chosen. */
export function StudyInside({ study }: { study: StudyView }) {
  const [chosen, setChosen] = useState(LATEST)
  const begun = study.runs.filter((run): run is Begun => run.id !== null)
  const latest = begun.find(({ status }) => status === 'running') ?? begun.findLast(({ hasWeights }) => hasWeights)
  const run = begun.find(({ id }) => String(id) === chosen) ?? latest
  const shown = JSON.stringify(run ? [shownOf(run)] : [])
  const runs = useMemo(() => JSON.parse(shown) as ShownRun[], [shown])
  if (runs.length === 0) return <p className="muted">None has weights yet.</p>
  return (
    <WeightsView runs={runs}>
      <Choice
        label="run"
        options={[
          [LATEST, 'the one in training, or the last'],
          ...begun.map((each) => [`${each.id}`, nameOf(each)] as const),
        ]}
        value={run && String(run.id) === chosen ? chosen : LATEST}
        onChange={setChosen}
        testId="inside-run"
      />
    </WeightsView>
  )
}

const nameOf = ({ variant, seed }: RunView) => `${variant}, seed ${seed}`

function shownOf(run: Begun): ShownRun {
  return { id: run.id, label: nameOf(run), live: run.status === 'running' }
}
