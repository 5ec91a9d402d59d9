import { useMemo } from 'react'
import { layerNorms } from '../../engine/charts/weights/layerNorms.ts'
import { layerNormsOf } from '../../engine/records/norms.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Panels } from './Panels.tsx'
import { areLive, type ShownRun } from './shownRun.ts'

/** The gradient norm and the update ratio of each layer of the runs, at each evaluation. */
export function NormPanels({ runs }: { runs: readonly ShownRun[] }) {
  const style = useFigureStyle()
  const { value, error } = useAnswer(
    '',
    () => Promise.all(runs.map(({ id }) => host().readNorms(id))),
    () => areLive(runs),
  )
  const said = JSON.stringify(value) // the same text between two evaluations: nothing is drawn again
  const charts = useMemo(
    () =>
      ((JSON.parse(said) as typeof value) ?? []).map((norms, i) => {
        const rows = layerNormsOf(norms).map((row) => ({ ...row, run: runs[i]?.id ?? 0 }))
        const moved = rows.some(({ ratio }) => ratio !== null)
        return rows.length === 0
          ? []
          : [layerNorms(rows, 'gradient', style), ...(moved ? [layerNorms(rows, 'ratio', style)] : [])]
      }),
    [said, runs, style],
  )
  if (error) return <p className="bad">{error}</p>
  const panels = runs.map(({ id, label, live }, i) => ({
    key: String(id),
    head: label,
    charts: charts[i] ?? [],
    missing: !value
      ? 'Reading.'
      : live
        ? 'They are taken at each evaluation; there was none yet.'
        : 'None were taken: train: { histograms: false }.',
  }))
  return <Panels panels={panels} />
}
