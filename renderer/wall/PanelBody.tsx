import { useDeferredValue, useMemo, useRef, useState } from 'react'
import type { FigureStyle } from '../../engine/charts/figure/figure.ts'
import { groupCurves } from '../../engine/charts/wall/groupCurves.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Panel, Wall } from '../../engine/runs/wall.ts'
import { ChartView } from '../charts/ChartView.tsx'
import type { Range } from '../charts/events.ts'
import { FigureView } from '../charts/FigureView.tsx'
import { type PageChart, pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { runHash } from '../ui/route.ts'
import { BestTable } from './BestTable.tsx'
import { chartOfRows, meaningOf } from './chartOf.ts'
import { columnOf, columnsOf } from './rows.ts'
import type { Drawn } from './types.ts'
import { useCurves } from './useCurves.ts'
import { useRoom } from './useRoom.ts'

interface PanelBodyProps {
  panel: Panel
  wall: Wall
  fields: RunFields
  drawn: Drawn
  whole: boolean
  /** Whether the panel was seen. */
  due: boolean
}

/** What a panel shows. */
export function PanelBody(props: PanelBodyProps) {
  const { panel, fields } = props
  const unknown = unknownColumn(panel, fields)
  if (unknown !== null) {
    return <p className="wall-said muted">{unknown === '' ? 'No metric is chosen.' : `No run has ${unknown}.`}</p>
  }
  if (panel.kind === 'curves') return <Curves {...props} />
  return panel.kind === 'best' ? <BestTable {...props} /> : <Columns {...props} />
}

/** The first column of a panel that the store does not have; null for none. */
function unknownColumn(panel: Panel, fields: RunFields): string | null {
  if (panel.kind === 'curves') return fields.metrics.includes(panel.metric) ? null : panel.metric
  const chosen = columnsOf({ ...panel, columns: panel.columns ?? [] }, fields)
  return chosen.find((name) => !columnOf(name, fields)) ?? null
}

function Curves({ panel, wall, fields, drawn, whole, due }: PanelBodyProps) {
  const [range, setRange] = useState<Range | null>(null)
  const { metric, width, logY = false } = panel
  const { value, error, asking } = useCurves({ metric, width, wall, fields, drawn, range, whole, due })
  const { x, band, logX } = wall
  const smoothing = useDeferredValue(wall.smoothing)
  const looks = useDeferredValue(drawn.looks)
  const style = useFigureStyle()
  const chart = useMemo(() => {
    const options = { metric, meaning: meaningOf(metric, fields), x, band, logX, logY, smoothing, ...looks }
    return value && pageChart(style, (style) => groupCurves(value, options, style))
  }, [value, metric, fields, x, band, logX, logY, smoothing, looks, style])
  const shown = useMemo(() => (chart && !whole ? untitled(chart) : chart), [chart, whole])
  return <Drawing chart={shown} error={error} asking={asking && due} whole={whole} onZoom={setRange} />
}

/** A chart without the title of its y axis, which is that of the panel. */
function untitled(chart: PageChart): PageChart {
  const { data, layout } = chart.figure
  const yaxis = { ...(layout.yaxis as Record<string, unknown>), title: { text: '' } }
  return { ...chart, figure: { data, layout: { ...layout, yaxis } } }
}

function Columns({ panel, fields, drawn, whole }: PanelBodyProps) {
  const box = useRef<HTMLDivElement>(null)
  const room = useRoom(box)
  const { rows, error } = drawn.rows
  const looks = useDeferredValue(drawn.looks)
  const style = useFigureStyle()
  const chart = useMemo((): PageChart | null => {
    // before its room is known it would be drawn twice
    if (!rows || (!whole && room === 0)) return null
    const make = (style: FigureStyle) => chartOfRows(panel, rows, { fields, looks, room: whole ? null : room, style })
    const made = make(style)
    return made && { ...made, onPaper: (paper) => make(paper) ?? made }
  }, [panel, rows, fields, looks, room, whole, style])
  return <Drawing chart={chart} error={error} asking={rows === null} whole={whole} box={box} />
}

interface DrawingProps {
  chart: PageChart | null
  error: string | null
  asking: boolean
  whole: boolean
  box?: React.RefObject<HTMLDivElement | null>
  onZoom?(range: Range | null): void
}

function Drawing({ chart, error, asking, whole, box, onZoom }: DrawingProps) {
  const zoom = onZoom ? { onZoom } : {}
  if (whole) {
    return (
      <div className="wall-whole" ref={box} aria-busy={asking}>
        {error && <p className="bad">{error}</p>}
        {chart && <ChartView chart={chart} {...zoom} />}
      </div>
    )
  }
  return (
    <div className="wall-chart" aria-busy={asking}>
      {error && <p className="bad">{error}</p>}
      <div className="wall-figure" ref={box}>
        {chart && (
          <FigureView
            figure={chart.figure}
            label={chart.title}
            onRun={(run) => {
              location.hash = runHash(run)
            }}
            {...zoom}
          />
        )}
        {chart && chart.rows.length === 0 && <p className="chart-empty">No values.</p>}
      </div>
      <p className="wall-note muted" title={chart?.note}>
        {chart?.note}
      </p>
    </div>
  )
}
