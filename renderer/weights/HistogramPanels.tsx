import { useMemo, useState } from 'react'
import { histograms } from '../../engine/charts/weights/histograms.ts'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Choice } from '../ui/Choice.tsx'
import { Panels } from './Panels.tsx'
import { areLive, type ShownRun } from './shownRun.ts'

/** How the values and the gradients of the same tensor of each run were spread over its training. */
export function HistogramPanels({ runs }: { runs: readonly ShownRun[] }) {
  const [chosen, setChosen] = useState('')
  const style = useFigureStyle()
  const ids = runs.map(({ id }) => id)
  const live = () => areLive(runs)
  const names = useAnswer('', () => Promise.all(ids.map((id) => host().listHistograms(id))), live)
  const known = [...new Set(names.value?.flat() ?? [])]
  const tensor = known.includes(chosen) ? chosen : (known[0] ?? '')
  const rows = useAnswer(
    tensor,
    () => Promise.all(ids.map((id) => (tensor ? host().readHistograms(id, tensor) : []))),
    live,
  )
  const charts = useMemo(
    () =>
      (rows.value ?? []).map((all, i) =>
        (['weights', 'gradients'] as const).flatMap((kind) => {
          const own = all.filter((row) => row.kind === kind).map((row) => ({ ...row, run: runs[i]?.id ?? 0 }))
          return own.length > 0 ? [pageChart(style, (style) => histograms(own, style))] : []
        }),
      ),
    [rows.value, runs, style],
  )
  const error = names.error ?? rows.error
  if (error) return <p className="bad">{error}</p>
  const panels = runs.map(({ id, label }, i) => ({
    key: String(id),
    head: label,
    charts: charts[i] ?? [],
    missing: missingOf(tensor, names.value !== null && rows.value !== null),
  }))
  return (
    <Panels panels={panels}>
      {tensor && <Choice label="tensor" options={known} value={tensor} onChange={setChosen} />}
    </Panels>
  )
}

function missingOf(tensor: string, read: boolean): string {
  if (!read) return 'Reading.'
  return tensor ? 'This run has no histograms of this tensor.' : 'No histograms were taken.'
}
