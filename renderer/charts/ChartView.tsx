import { useRef, useState } from 'react'
import { labelOf, RUN } from '../../engine/charts/figure/chart.ts'
import { Button } from '../ui/Button.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { runHash } from '../ui/route.ts'
import type { Range } from './events.ts'
import { FigureView, isDrawn } from './FigureView.tsx'
import type { PageChart } from './pageChart.ts'
import { askToSave } from './save/asked.ts'

interface ChartViewProps {
  chart: PageChart
  /** Before its title, where it is one of several panels. */
  letter?: string
  /** What a screen reader says for it; made of title and table where it is left out. */
  label?: string
  /** A point was clicked, by its place on the axes, in place of its leading to its run. */
  onPoint?: (x: number, y: number) => void
  /** Another part of the x axis is shown, for which finer points may be had; null for all of it. */
  onZoom?(range: Range | null): void
}

/** A chart with its title, the table behind it, and a way into a paper. A click on a point leads to its run. */
export function ChartView({ chart, letter, label = labelOf(chart), onPoint, onZoom }: ChartViewProps) {
  const { title, figure, columns, rows, height, note } = chart
  const [table, setTable] = useState(false)
  const box = useRef<HTMLDivElement>(null)

  return (
    <figure className="chart" data-testid="chart">
      <div className="chart-head">
        <figcaption>
          {letter && <b>{letter} </b>}
          {title}
        </figcaption>
        <fieldset className="chart-tools" aria-label={`tools of ${title || label}`}>
          <Button look="small" aria-pressed={table} onClick={() => setTable(!table)}>
            Data
          </Button>
          <Button
            look="small"
            title="As PDF, SVG, PNG, for LaTeX or as CSV"
            onClick={() =>
              askToSave(
                { charts: [chart], title, columns: 1 },
                box.current && isDrawn(box.current) ? box.current.layout : null,
              )
            }
          >
            Save
          </Button>
        </fieldset>
      </div>
      <div className="chart-box" style={height === undefined ? undefined : { height }}>
        {rows.length === 0 ? (
          <p className="chart-empty">No values yet.</p>
        ) : (
          <FigureView
            figure={figure}
            label={label}
            ref={box}
            onRun={(run) => {
              location.hash = runHash(run)
            }}
            onPoint={onPoint}
            {...(onZoom ? { onZoom } : {})}
          />
        )}
      </div>
      {note && <p className="muted">{note}</p>}
      {table && (
        <DataTable
          columns={columns}
          rows={rows}
          total={rows.length}
          label={`data of ${title || label}`}
          linkOf={(column, value) => (column === RUN && value !== null ? runHash(value) : null)}
        />
      )}
    </figure>
  )
}
