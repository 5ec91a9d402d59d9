import { useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import { defaultColumns } from '../../engine/runs/defaults.ts'
import type { Page, RunFields, RunLine } from '../../engine/runs/types.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { Choice } from '../ui/Choice.tsx'
import { type ChartOfRuns, chartOfRuns, columnsFor, MAX_RUNS, numberColumns } from './chartOfRuns.ts'

const BY = [
  ['variant', 'by variant'],
  ['number', 'against a number'],
  ['options', 'by all options'],
] as const
const JOIN = [
  ['block', 'the runs of a block'],
  ['variant', 'the runs of a variant'],
  ['study', 'the runs of a study'],
] as const

interface RunsChartProps {
  /** Which runs. */
  filter: string
  fields: RunFields
}

/** A chart of the finished runs that pass a filter: a metric by variant, against what it costs, or by options. */
export function RunsChart({ filter, fields }: RunsChartProps) {
  const [choice, setChoice] = useState<ChartOfRuns>(() => {
    const shown = defaultColumns(fields, false).find((name) => fields.metrics.includes(name))
    return { by: 'variant', metric: shown ?? '', x: 'parameters', join: 'block' }
  })
  const { page, error } = usePage(filter, choice, fields)
  const style = useFigureStyle()
  const chart = useMemo(() => page && chartOfRuns(page.rows, page.choice, page.fields, style), [page, style])
  const change = (changes: Partial<ChartOfRuns>) => setChoice({ ...choice, ...changes })
  return (
    <section className="runs-chart" aria-label="Chart of the runs" data-testid="runs-chart">
      <div className="chart-choice">
        <Choice
          label="metric"
          value={choice.metric}
          options={fields.metrics}
          onChange={(metric) => change({ metric })}
        />
        <Choice
          label="drawn"
          value={choice.by}
          options={BY}
          testId="runs-chart-drawn"
          onChange={(by) => change({ by })}
        />
        {choice.by === 'number' && (
          <>
            <Choice label="number" value={choice.x} options={numberColumns(fields)} onChange={(x) => change({ x })} />
            <Choice label="lines join" value={choice.join} options={JOIN} onChange={(join) => change({ join })} />
          </>
        )}
      </div>
      {error && <p className="bad">{error}</p>}
      {chart && <ChartView chart={chart} />}
    </section>
  )
}

interface Asked {
  rows: Page<RunLine>
  /** What they were asked for, which the chart is drawn by until others come. */
  choice: ChartOfRuns
  fields: RunFields
}

function usePage(filter: string, choice: ChartOfRuns, fields: RunFields) {
  const [answer, setAnswer] = useState<{ page: Asked | null; error: string | null }>({ page: null, error: null })
  useEffect(() => {
    let current = true
    const sort = [{ column: 'started', descending: true }]
    host()
      .queryRuns({ filter, sort, columns: columnsFor(choice, fields), offset: 0, limit: MAX_RUNS })
      .then(
        (rows) => current && setAnswer({ page: { rows, choice, fields }, error: null }),
        (error) => current && setAnswer({ page: null, error: messageOf(error) }),
      )
    return () => {
      current = false
    }
  }, [filter, choice, fields])
  return answer
}
