import type { ClassificationReport, RunReport } from '../records/report.ts'
import { splitTitle } from '../records/splits.ts'
import type { Axis } from './figure/axes.ts'
import type { Chart } from './figure/chart.ts'
import { amounts, tints } from './figure/colorScales.ts'
import type { FigureStyle } from './figure/figure.ts'
import { frame, plotlyAxis } from './figure/layout.ts'
import { plotlyText } from './figure/words.ts'

/** The counts of a split of a run. */
export interface ConfusionRow extends Pick<ClassificationReport, 'classes' | 'confusion'> {
  split: string
  run?: number
}

/** The matrix of each split of a run whose task is classification; none for other tasks. */
export function confusions(report: RunReport, run: number, style: FigureStyle): Chart[] {
  return Object.entries(report).flatMap(([split, part]) =>
    part.kind === 'classification' ? [confusion({ ...part, split, run }, style)] : [],
  )
}

/** Classes whose counts are written into the cells. */
const WRITTEN = 20
const CELL = 26 // px
const MARGIN = 110 // px, for names

/** What each class was taken for: one row a class, in colours the shares of its examples, with counts. */
export function confusion({ classes, confusion: counts, split, run }: ConfusionRow, style: FigureStyle): Chart {
  const sums = counts.map((row) => row.reduce((sum, count) => sum + count, 0))
  const share = (row: number, count: number) => (sums[row] ? count / (sums[row] as number) : null)
  const names = classes.map(plotlyText)
  const total = sums.reduce((sum, count) => sum + count, 0)
  const right = counts.reduce((sum, row, i) => sum + (row[i] ?? 0), 0)
  const side = classes.length > WRITTEN ? Math.max(4, Math.floor(520 / classes.length)) : CELL
  const ticks: Axis = { showgrid: false, type: 'linear', tickvals: classes.map((_, i) => i), ticktext: names }
  return {
    title: `Confusion, ${splitTitle(split)}`,
    figure: {
      data: [
        {
          type: 'heatmap',
          z: counts.map((row, i) => row.map((count) => share(i, count))),
          text: counts.map((row) => row.map((count) => (count ? String(count) : ''))),
          ...(classes.length > WRITTEN ? {} : { texttemplate: '%{text}', textfont: { color: style.text } }),
          zmin: 0,
          zmax: 1,
          showscale: false,
          hoverongaps: false,
          colorscale: classes.length > WRITTEN ? amounts(style) : tints(style),
          hovertext: counts.map((row) => row.map(String)),
          hovertemplate: '%{y} taken for %{x}: %{hovertext}, %{z:.1%}<extra></extra>',
          ...(run === undefined ? {} : { meta: { run } }),
        },
      ],
      layout: {
        ...frame(style),
        margin: { l: 48, r: 12, t: 8, b: 48 },
        xaxis: { ...plotlyAxis('taken for', style), ...ticks, constrain: 'domain', constraintoward: 'left' },
        yaxis: {
          ...plotlyAxis('class', style),
          ...ticks,
          autorange: 'reversed',
          scaleanchor: 'x',
          constrain: 'domain',
          constraintoward: 'top',
        },
      },
    },
    height: Math.max(1, classes.length) * side + MARGIN,
    columns: ['class', ...classes, 'right'],
    rows: classes.map((name, i) => [name, ...(counts[i] ?? []), share(i, counts[i]?.[i] ?? 0)]),
    note: total > 0 ? `${right} of ${total} right. Colours are shares of the row.` : 'No examples.',
  }
}
