import { useRef, useState } from 'react'
import { type Chart, labelOf, RUN } from '../../engine/charts/figure/chart.ts'
import { toCsv } from '../../engine/display/csv.ts'
import { messageOf } from '../../engine/errors.ts'
import { saveBytes } from '../host/saveBytes.ts'
import { Button } from '../ui/Button.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { notify } from '../ui/notices.ts'
import { runHash } from '../ui/route.ts'
import type { Range } from './events.ts'
import { FigureView, isDrawn } from './FigureView.tsx'
import { pictureOf } from './picture.ts'
import { figureStyle } from './style.ts'

interface ChartViewProps {
  chart: Chart
  /** What a screen reader says for it; made of title and table where it is left out. */
  label?: string
  /** A point was clicked, by its place on the axes, in place of its leading to its run. */
  onPoint?: (x: number, y: number) => void
  /** Another part of the x axis is shown, for which finer points may be had; null for all of it. */
  onZoom?(range: Range | null): void
}

/** A chart with its title, the table behind it, and ways out as PNG, SVG and CSV. A click on a point leads to its run. */
export function ChartView({ chart, label = labelOf(chart), onPoint, onZoom }: ChartViewProps) {
  const { title, figure, columns, rows, height, note } = chart
  const [table, setTable] = useState(false)
  const box = useRef<HTMLDivElement>(null)

  const save = async (format: Format) => {
    const name = `${title.replace(/[^\w.-]+/g, '-') || 'chart'}.${format}`
    try {
      await saveBytes(name, await bytesOf(chart, format, box.current))
    } catch (error) {
      notify({ tone: 'bad', text: `${name} was not saved: ${messageOf(error)}` })
    }
  }

  return (
    <figure className="chart" data-testid="chart">
      <div className="chart-head">
        <figcaption>{title}</figcaption>
        <fieldset className="chart-tools" aria-label={`tools of ${title || label}`}>
          <Button look="small" aria-pressed={table} onClick={() => setTable(!table)}>
            Data
          </Button>
          {FORMATS.map((format) => (
            <Button
              key={format}
              look="small"
              title={`Save as ${format.toUpperCase()}`}
              onClick={() => void save(format)}
            >
              {format.toUpperCase()}
            </Button>
          ))}
        </fieldset>
      </div>
      <div className="chart-box" style={height === undefined ? undefined : { height }}>
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
        {rows.length === 0 && <p className="chart-empty">No values yet.</p>}
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

const FORMATS = ['png', 'svg', 'csv'] as const
type Format = (typeof FORMATS)[number]

async function bytesOf({ title, columns, rows }: Chart, format: Format, element: HTMLElement | null) {
  if (format === 'csv') return new TextEncoder().encode(toCsv(columns, rows))
  if (!element || !isDrawn(element)) throw new Error('it is not drawn yet')
  return pictureOf(element, format, title, figureStyle())
}
