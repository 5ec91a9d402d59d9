import { type ReactNode, useMemo } from 'react'
import type { FactorRow } from '../../../engine/charts/factors/rows.ts'
import type { MetricChartOptions } from '../../../engine/charts/figure/chart.ts'
import type { Crossing } from '../../../engine/study/design/crossing.ts'
import { ChartView } from '../../charts/ChartView.tsx'
import { pageChart } from '../../charts/pageChart.ts'
import { useFigureStyle } from '../../charts/useFigureStyle.ts'
import { Choice } from '../../ui/Choice.tsx'
import { axesOf, type FactorChoice, linesOf } from './choice.ts'
import { DRAW } from './draw.ts'

const WHISKERS = [
  ['sd', '± sd'],
  ['interval', '95% interval'],
] as const

interface FactorViewProps extends MetricChartOptions {
  crossing: Crossing
  rows: FactorRow[]
  choice: FactorChoice
  onChange(change: Partial<FactorChoice>): void
  /** What stands before its options. */
  children?: ReactNode
}

/** A chart with factors as axes, and which factor is where. */
export function FactorView({ crossing, rows, metric, meaning, choice, onChange, children }: FactorViewProps) {
  const { chart, x, lines, spread } = choice
  const style = useFigureStyle()
  const drawn = useMemo(
    () =>
      pageChart(style, (style) => DRAW[chart](rows, { ...crossing, metric, meaning, chart, x, lines, spread }, style)),
    [crossing, rows, metric, meaning, chart, x, lines, spread, style],
  )
  const others = linesOf(chart, x, crossing)
  return (
    <div className="curves" data-testid="factor-chart">
      <div className="curve-options">
        {children}
        <Choice
          label={chart === 'grid' ? 'columns' : 'x'}
          value={x}
          options={axesOf(chart, crossing)}
          testId="factor-x"
          onChange={(name) => onChange({ x: name })}
        />
        {others.length > 1 && (
          <Choice
            label={chart === 'grid' ? 'rows' : 'lines'}
            value={JSON.stringify(lines)}
            options={others.map((names) => [JSON.stringify(names), names.join(', ') || 'one, of all'] as const)}
            testId="factor-lines"
            onChange={(names) => onChange({ lines: JSON.parse(names) as string[] })}
          />
        )}
        {chart !== 'grid' && (
          <Choice label="whiskers" value={spread} options={WHISKERS} onChange={(kind) => onChange({ spread: kind })} />
        )}
      </div>
      <ChartView chart={drawn} />
    </div>
  )
}
