import { isShare, type MetricMeaning } from '../../records/meaning.ts'
import { cellText, NOTHING } from '../../runs/format.ts'
import type { Annotation } from '../figure/axes.ts'
import { type Chart, noteOf } from '../figure/chart.ts'
import { colorScale } from '../figure/colorScales.ts'
import type { FigureStyle } from '../figure/figure.ts'
import { frame } from '../figure/layout.ts'
import { formatOf, plotlyText } from '../figure/words.ts'
import { bar } from '../marks.ts'
import { levelAxis } from './axis.ts'
import { type Cell, cellsOf } from './cells.ts'
import { cellNotes } from './notes.ts'
import { type FactorChartOptions, type FactorRow, factorOf } from './rows.ts'
import { levelsText } from './words.ts'

export interface FactorGridOptions extends FactorChartOptions {
  /** The factor of the columns. */
  x: string
  /** The factor of the rows, its first level on top. */
  y: string
}

const CELL = 44 // px
const MARGIN = 84 // px, for names
/** Columns whose values are written into the cells. */
const WRITTEN = 9
const LONGEST = 22 // characters beside a row

/** The mean of a metric at each pair of levels of two factors, stronger in colour where it is better. */
export function factorGrid(rows: FactorRow[], options: FactorGridOptions, style: FigureStyle): Chart {
  const { metric, meaning, factors, x, y } = options
  const [across, down] = [factorOf(factors, x), factorOf(factors, y)]
  const all = cellsOf(rows, [y, x], options, 'sd')
  const lines = down.levels.map((_, i) => all.cells.slice(i * across.levels.length, (i + 1) * across.levels.length))
  const means = all.cells.flatMap(({ drawn }) => drawn?.mean ?? [])
  return {
    title: `${metric} by ${x}, ${y}`,
    figure: {
      data: [
        {
          type: 'heatmap',
          z: lines.map((cells) => cells.map(({ drawn }) => drawn?.mean ?? null)),
          text: lines.map((cells) => cells.map(({ drawn }) => (drawn ? meanText(drawn.mean, meaning) : ''))),
          hovertext: lines.map((cells) => cells.map((cell) => plotlyText(hoverOf(cell, [y, x], meaning)))),
          ...(across.levels.length > WRITTEN ? {} : { texttemplate: '%{text}', textfont: { color: style.text } }),
          xgap: 2,
          ygap: 2,
          hoverongaps: true,
          colorscale: colorScale(style, meaning?.better),
          showscale: means.length > 1,
          colorbar: { ...bar(style), tickformat: formatOf(meaning, means).ticks },
          hovertemplate: '%{hovertext}<extra></extra>',
        },
      ],
      layout: {
        ...frame(style),
        margin: { l: 56, r: 12, t: 8, b: 44 },
        xaxis: levelAxis(across, style),
        yaxis: { ...levelAxis(down, style, LONGEST), range: [down.levels.length - 0.5, -0.5] },
        annotations: lines.flatMap((cells, row) =>
          cells.flatMap(({ drawn }, column) => (drawn ? [] : [gap(column, row, style)])),
        ),
        uirevision: `${metric} ${x} ${y}`,
      },
    },
    height: down.levels.length * CELL + MARGIN,
    columns: [y, x, metric, 'sd', 'n'],
    rows:
      means.length === 0
        ? []
        : all.cells.map(({ levels, drawn }) => [
            ...levels.map((level) => (typeof level === 'number' ? level : String(level))),
            ...[drawn?.mean ?? null, drawn?.sd ?? null, drawn?.n ?? 0],
          ]),
    ...noteOf([
      `Means over seeds. The stronger the colour, the ${meaning?.better ? `better (${meaning.better})` : 'higher'}.`,
      ...cellNotes(all, options.others),
    ]),
  }
}

/** The mean in a cell, in percent where it is a share. */
function meanText(value: number, meaning: MetricMeaning | undefined): string {
  return `${cellText({ kind: 'metric', name: '', value: 'last', meaning }, value)}${isShare(meaning) ? '%' : ''}`
}

function hoverOf({ levels, seeds, drawn }: Cell, names: string[], meaning: MetricMeaning | undefined): string {
  const at = levelsText(names, levels)
  if (!drawn) return `${at}: nothing yet`
  const [mean, sd] = [drawn.mean, drawn.sd].map((value) => value !== null && meanText(value, meaning))
  const over = drawn.n === 1 ? `seed ${seeds[0]?.seed}` : `mean of ${drawn.n} seeds, sd ${sd}`
  return `${at}: ${mean}, ${over}`
}

/** What stands in a cell without a value. */
function gap(x: number, y: number, style: FigureStyle): Annotation {
  return { x, y, text: NOTHING, showarrow: false, font: { size: 12, color: style.muted } }
}
