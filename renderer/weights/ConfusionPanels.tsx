import { useMemo } from 'react'
import { confusions } from '../../engine/charts/confusion.ts'
import { pageCharts } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Panels } from './Panels.tsx'
import { areLive, type ShownRun } from './shownRun.ts'

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
      (value ?? []).map((report, i) => pageCharts(style, (style) => confusions(report ?? {}, runs[i]?.id ?? 0, style))),
    [value, runs, style],
  )
  if (error) return <p className="bad">{error}</p>
  const panels = runs.map(({ id, label }, i) => ({
    key: String(id),
    head: label,
    charts: charts[i] ?? [],
    missing: value ? 'No confusion matrix: its task has no classes, or it was not evaluated yet.' : 'Reading.',
  }))
  return <Panels panels={panels} />
}
