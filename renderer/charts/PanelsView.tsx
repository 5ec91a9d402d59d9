import { letterOf } from '../../engine/charts/drawing/letters.ts'
import { Button } from '../ui/Button.tsx'
import { ChartView } from './ChartView.tsx'
import type { PageChart } from './pageChart.ts'
import { askToSave } from './save/asked.ts'

interface PanelsViewProps {
  charts: readonly PageChart[]
  title: string
  columns: number
  /** What a screen reader says for it. */
  label: string
}

/** Several charts as one figure, each with its letter, that are saved together. */
export function PanelsView({ charts, title, columns, label }: PanelsViewProps) {
  return (
    <section className="panels" aria-label={label} data-testid="panels">
      <div className="chart-head">
        <h3>{title}</h3>
        <Button
          look="small"
          title="All panels, as PDF, SVG, PNG, for LaTeX or as CSV"
          onClick={() => askToSave({ charts, title: title || 'panels', columns }, null)}
          testId="save-panels"
        >
          Save all
        </Button>
      </div>
      <div className="panels-grid" style={{ gridTemplateColumns: columnsOf(columns) }}>
        {charts.map((chart, i) => (
          <ChartView key={letterOf(i)} chart={chart} letter={letterOf(i)} />
        ))}
      </div>
    </section>
  )
}

/** So many columns at most, each wide enough for its ticks. */
function columnsOf(most: number): string {
  return `repeat(auto-fill, minmax(max(15rem, calc(100% / ${most + 1} + 1px)), 1fr))`
}
