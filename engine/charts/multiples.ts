import type { MetricMeaning } from '../records/meaning.ts'
import type { SeriesBand } from '../records/series.ts'
import { bandTrace } from './bandTrace.ts'
import type { Chart } from './figure/chart.ts'
import type { FigureStyle, PlotlyTrace } from './figure/figure.ts'
import { boundsOf, frame, withUnit } from './figure/layout.ts'
import { lookOf } from './figure/palette.ts'
import { panels } from './figure/panels.ts'
import { logAxis } from './figure/ticks.ts'
import { type Format, formatOf, plotlyNumber, plotlyText } from './figure/words.ts'
import { halfWidth, SPREADS, type SpreadKind } from './spread.ts'

export interface MultiplesOptions {
  /** A panel each, in this order. */
  metrics: string[]
  /** What they mean, by name. */
  meanings?: Record<string, MetricMeaning>
  /** In the order of their colours. */
  groups: string[]
  /** What the bands show; `sd` if left out, `range` for the smallest and largest. */
  show?: SpreadKind | 'range'
  logX?: boolean
  /** Panels in a row. */
  columns?: number
}

/** With more groups than this, bands hide each other; the means are drawn alone. */
const MAX_BANDS = 8

/** Bands, as the host reads them, in a panel per metric: the mean of each group in its band, zoomed together. */
export function multiples(rows: SeriesBand[], options: MultiplesOptions, style: FigureStyle): Chart {
  const { metrics, meanings = {}, groups, show = 'sd', logX = false, columns } = options
  const formats = metrics.map((metric) =>
    formatOf(
      meanings[metric],
      rows.filter((row) => row.metric === metric).flatMap((row) => [...row.min, ...row.max]),
    ),
  )
  const meaningAt = (panel: number) => meanings[metrics[panel] ?? ''] ?? {}
  const titles = metrics.map((metric, panel) => plotlyText(withUnit(metric, meaningAt(panel))))
  const grid = panels({ titles, xLabel: 'step', ...(columns === undefined ? {} : { columns }) }, style, {
    x: () => (logX ? logAxis(rows.flatMap((row) => row.steps)) : {}),
    y: (panel) => ({ ...boundsOf(meaningAt(panel)), tickformat: formats[panel]?.ticks }),
  })
  const drawn = metrics.flatMap((metric, panel) =>
    groups.flatMap((group, index): Drawn[] => {
      const row = rows.find((each) => each.metric === metric && each.group === group)
      const format = formats[panel]
      const axes = grid.axes[panel]
      return row && format && axes && row.steps.length > 0 ? [{ row, index, format, axes }] : []
    }),
  )
  const bands = groups.length > MAX_BANDS ? [] : drawn.filter(isBand)
  const first = new Map(drawn.toReversed().map((each) => [each.row.group, each]))
  return {
    title: metrics.length === 1 ? `${metrics[0]} over step` : `${metrics.length} metrics over step`,
    figure: {
      data: [
        ...bands.map((each) => bandOf(each, show, style)),
        ...drawn.map((each) => meanOf(each, first.get(each.row.group) === each, style)),
      ],
      layout: { ...frame(style), ...grid.layout, hovermode: 'x', uirevision: `${metrics.join(' ')} ${logX}` },
    },
    columns: ['group', 'metric', 'step', 'mean', 'sd', 'min', 'max', 'n'],
    rows: drawn.flatMap(({ row: { group, metric, steps, mean, sd, min, max, n } }) =>
      steps.map((step, i) => [group, metric, step, ...[mean, sd, min, max, n].map((each) => plotlyNumber(each[i]))]),
    ),
    height: grid.height,
    ...noteOf(bands.length > 0, groups.length, show),
  }
}

function noteOf(banded: boolean, groups: number, show: SpreadKind | 'range'): { note?: string } {
  if (groups > MAX_BANDS) return { note: `Means alone; bands are drawn for up to ${MAX_BANDS} groups.` }
  if (!banded) return {}
  return { note: `Band: ${show === 'range' ? 'from the smallest to the largest run' : SPREADS[show]}.` }
}

interface Drawn {
  row: SeriesBand
  /** Place of the group among all. */
  index: number
  format: Format
  axes: { xaxis: string; yaxis: string }
}

/** Whether a group has several runs somewhere. */
function isBand({ row: { n } }: Drawn): boolean {
  return n.some((runs) => runs > 1)
}

function bandOf({ row, index, axes }: Drawn, show: SpreadKind | 'range', style: FigureStyle): PlotlyTrace {
  const { steps, mean, sd, min, max, n } = row
  const half = (i: number) => (show === 'range' ? 0 : halfWidth(sd[i] ?? null, n[i] ?? 0, show))
  const low = show === 'range' ? min : mean.map((value, i) => value - half(i))
  const high = show === 'range' ? max : mean.map((value, i) => value + half(i))
  return { ...bandTrace(steps, low, high, lookOf(index, style).color, row.group), ...axes }
}

function meanOf({ row, index, format, axes }: Drawn, named: boolean, style: FigureStyle): PlotlyTrace {
  const { color, dash, symbol } = lookOf(index, style)
  return {
    type: 'scatter',
    mode: row.steps.length === 1 ? 'lines+markers' : 'lines',
    name: plotlyText(row.group),
    legendgroup: row.group,
    showlegend: named,
    x: row.steps,
    y: row.mean.map(plotlyNumber),
    line: { color, width: 1.8, dash },
    marker: { size: 6, symbol },
    hovertemplate: `%{y:${format.value}}`,
    ...axes,
  }
}
