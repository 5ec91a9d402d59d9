import { useMemo } from 'react'
import { confusion } from '../charts/confusion.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Panels } from './Panels.tsx'
import { areLive, type ShownRun } from './WeightsView.tsx'

/** What each run took the classes for, at its last evaluation. */
export function ConfusionPanels({ runs }: { runs: readonly ShownRun[] }) {
  const style = useFigureStyle()
  const ids = runs.map(({ id }) => id)
  const { value, error } = useAnswer(
    '',
    () => Promise.all(ids.map((id) => host().readReport(id))),
    () => areLive(runs),
  )
  const charts = useMemo(
    () =>
      (value ?? []).map((report, i) =>
        Object.entries(report ?? {}).flatMap(([split, part]) =>
          part.kind === 'classification' ? [confusion({ ...part, split, run: runs[i]?.id ?? 0 }, style)] : [],
        ),
      ),
    [value, runs, style],
  )
  if (error) return <p className="bad">{error}</p>
  const panels = runs.map(({ id, label }, i) => ({
    ...{ key: String(id), head: label, charts: charts[i] ?? [] },
    missing: value ? 'No classes were told apart, or the run is not at its end.' : 'Reading.',
  }))
  return <Panels panels={panels} />
}
