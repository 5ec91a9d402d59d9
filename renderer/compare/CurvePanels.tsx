import { useMemo, useState } from 'react'
import { type MultiplesOptions, multiples } from '../../engine/charts/multiples.ts'
import { type MetricMeaning, meaningIn } from '../../engine/records/meaning.ts'
import { curveOf } from '../../engine/records/splits.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { useAnswer } from '../host/useAnswer.ts'
import type { ComparedGroup } from './groups.ts'

/** Steps of a curve: of one across the page, and of one that shares a row with others. */
const STEPS = { wide: 500, narrow: 200 }

/**
 * The metrics over the steps, a panel each, zoomed together; a zoom reads finer points. For those of tests stand those of
 * validation; read-outs of the end have no curve.
 */
export function CurvePanels({ groups, metrics: chosen }: { groups: readonly ComparedGroup[]; metrics: string[] }) {
  const known = groups.flatMap(({ runs }) => runs.flatMap((run) => Object.keys(run.metrics)))
  const all = groups.flatMap(({ runs }) => runs)
  const curved = chosen.filter((name) => !meaningIn(all, name).readout)
  const metrics = [...new Set(curved.map((name) => curveOf(name, known)))]
  const [range, setRange] = useState<[number, number] | null>(null)
  const style = useFigureStyle()
  const asked = groups.map(({ name, runs }) => ({ name, runs: runs.map(({ id }) => id) }))
  const steps = groups.flatMap(({ runs }) => runs.map(({ step }) => step))
  const { value, error } = useAnswer(JSON.stringify([asked, metrics, range, steps]), () =>
    host().readBands(asked, metrics, metrics.length > 2 ? STEPS.narrow : STEPS.wide, range ?? undefined),
  )
  const names = JSON.stringify(asked.map(({ name }) => name))
  const shown = JSON.stringify(metrics.map((name) => [name, meaningIn(all, name)]))
  const chart = useMemo(
    () =>
      pageChart(style, (style) =>
        multiples(value ?? [], { ...optionsOf(shown), groups: JSON.parse(names) as string[] }, style),
      ),
    [value, shown, names, style],
  )
  if (metrics.length === 0) {
    return chosen.length > 0 && <p className="muted">Read-outs of the end have no curve; their values are below.</p>
  }
  if (error) return <p className="bad">{error}</p>
  return (
    <ChartView
      chart={chart}
      onZoom={(zoom) => setRange(zoom && [Math.max(0, Math.floor(zoom[0])), Math.max(0, Math.ceil(zoom[1]))])}
    />
  )
}

/** The metrics and what they mean, from the text by which a change of them is noticed. */
function optionsOf(shown: string): Pick<MultiplesOptions, 'metrics' | 'meanings'> {
  const meanings: Record<string, MetricMeaning> = Object.fromEntries(JSON.parse(shown))
  return { metrics: Object.keys(meanings), meanings }
}
