import type { Level } from '../../study/design/crossing.ts'
import { whiskers } from '../against.ts'
import type { Axis } from '../figure/axes.ts'
import { type Chart, noteOf, RUN } from '../figure/chart.ts'
import type { DotsTrace, FigureStyle } from '../figure/figure.ts'
import { frame, LEGEND_PLACE, metricAxis } from '../figure/layout.ts'
import { type Look, lookOf } from '../figure/palette.ts'
import { type Format, formatOf, plotlyNumber, plotlyText } from '../figure/words.ts'
import { SPREADS, type SpreadKind } from '../spread.ts'
import { type Cell, type Cells, cellsOf, combinations, onlyRun } from './cells.ts'
import { cellNotes } from './notes.ts'
import { type FactorChartOptions, type FactorRow, factorOf } from './rows.ts'
import { levelsText, shortLevel } from './words.ts'

export interface FactorLinesOptions extends FactorChartOptions {
  /** The factor along the x axis. */
  x: string
  /** The factors whose levels have a line each; none for a single line. */
  lines: readonly string[]
  /** What the whiskers show. */
  spread?: SpreadKind
}

/** The x axis of a chart of lines. */
export interface LinesAxis {
  title: string
  layout: Axis
  /** The levels from left to right. */
  levels: readonly Level[]
  /** Where a level stands, and `beside` of it: what hides each other stands apart. */
  place(level: Level, beside: number): number
  /** How far two lines stand apart, in the unit of `beside`. */
  apart: number
}

const LEGEND = 32 // characters for the names of factors

/** So many lines stand apart as far as they may; more share the room of these. */
const ROOMY = 3
/** Of the way to the next line, where the seeds stand beside their mean. */
const SEEDS_AT = 0.4

/** A line of means with whiskers per level of some factors, and a dot per seed; broken where there is no complete run. */
export function factorLines(
  rows: readonly FactorRow[],
  options: FactorLinesOptions,
  axis: LinesAxis,
  style: FigureStyle,
): Chart {
  const { metric, meaning, factors, x, lines: names, spread = 'sd' } = options
  const all = cellsOf(rows, [...names, x], options, spread)
  const drawn = all.cells.filter((cell) => cell.drawn)
  const format = formatOf(
    meaning,
    drawn.flatMap(({ seeds }) => seeds.map(({ value }) => value)),
  )
  const combined = combinations(names.map((name) => factorOf(factors, name)))
  const lines = combined.map((levels, index): Line => {
    const own = all.cells.filter((cell) => levels.every((level, i) => cell.levels[i] === level))
    const cells = axis.levels.flatMap((at) => own.find((cell) => cell.levels.at(-1) === at) ?? [])
    const apart = axis.apart * Math.min(1, ROOMY / combined.length)
    const beside = (index - (combined.length - 1) / 2) * apart
    return {
      name: levels.map((level) => shortLevel(level)).join(', '),
      group: JSON.stringify(levels),
      cells,
      places: axis.levels.map((level) => axis.place(level, beside)),
      seeds: axis.levels.map((level) => axis.place(level, beside + SEEDS_AT * apart)),
      look: lookOf(index, style),
    }
  })
  const traces = [...lines.map((line) => dots(line, all, format)), ...lines.map((line) => means(line, all, format))]
  return {
    title: axis.title,
    figure: {
      data: traces.filter(({ y }) => y.some((value) => value !== null)),
      layout: {
        ...frame(style),
        margin: { l: 56, r: 16, t: 8, b: 40 },
        legend: {
          ...LEGEND_PLACE,
          title: { text: shortLevel(names.join(', '), LEGEND), font: { color: style.muted, size: 12 } },
        },
        xaxis: axis.layout,
        yaxis: { ...metricAxis(metric, meaning ?? {}, style), tickformat: format.ticks },
        hovermode: 'closest',
        showlegend: lines.length > 1,
        uirevision: `${metric} ${x} ${names.join()}`,
      },
    },
    ...tableOf(all, drawn.length > 0, options),
    ...noteOf([
      ...(drawn.some(({ seeds }) => seeds.length > 1) ? [`Lines: means; whiskers: ${SPREADS[spread]}.`] : []),
      ...cellNotes(all, options.others),
    ]),
  }
}

interface Line {
  name: string
  /** Identifies the line: the names of two may be the same where they are shortened. */
  group: string
  /** From left to right. */
  cells: Cell[]
  /** Where the means stand, and the seeds beside them. */
  places: number[]
  seeds: number[]
  look: Look
}

/** The seeds behind the means; a click leads to the run of one. */
function dots({ name, group, cells, seeds: places, look }: Line, { names }: Cells, { value }: Format): DotsTrace {
  const points = cells.flatMap((cell, i) =>
    cell.seeds.length > 1 ? cell.seeds.map((seed) => ({ ...seed, x: places[i] ?? null, levels: cell.levels })) : [],
  )
  return {
    type: 'scatter',
    mode: 'markers',
    name,
    legendgroup: group,
    showlegend: false,
    x: points.map(({ x }) => x),
    y: points.map((point) => point.value),
    customdata: points.map(({ run }) => run),
    hovertext: points.map(({ levels, seed }) => plotlyText(`${levelsText(names, levels)}, seed ${seed}`)),
    hovertemplate: `%{hovertext}<br>%{y:${value}}<extra></extra>`,
    marker: { color: look.color, size: 5, opacity: 0.6 },
  }
}

function means({ name, group, cells, places, look }: Line, { names }: Cells, { value }: Format): DotsTrace {
  return {
    type: 'scatter',
    mode: cells.length > 1 ? 'lines+markers' : 'markers',
    name,
    legendgroup: group,
    showlegend: true,
    x: places,
    y: cells.map(({ drawn }) => drawn?.mean ?? null),
    customdata: cells.map(onlyRun),
    hovertext: cells.map(({ levels, seeds }) =>
      plotlyText(
        `${levelsText(names, levels)}, ${seeds.length === 1 ? `seed ${seeds[0]?.seed}` : `mean of ${seeds.length} seeds`}`,
      ),
    ),
    hovertemplate: `%{hovertext}<br>%{y:${value}}<extra></extra>`,
    line: { color: look.color, width: 1.6, dash: look.dash },
    marker: { color: look.color, symbol: look.symbol, size: 8 },
    error_y: whiskers(
      cells.map(({ drawn }) => drawn ?? { mean: 0, sd: null, n: 0, half: 0 }),
      look.color,
    ),
  }
}

/** A row per seed, and one without a seed per gap. */
function tableOf(
  { names, cells }: Cells,
  any: boolean,
  { metric }: FactorLinesOptions,
): Pick<Chart, 'columns' | 'rows'> {
  return {
    columns: [...names, 'seed', RUN, metric, 'mean', 'sd', 'n'],
    rows: cells.flatMap(({ levels, seeds, drawn }): Chart['rows'] => {
      const at = levels.map((level) => (typeof level === 'number' ? level : String(level)))
      if (!drawn) return any ? [[...at, null, null, null, null, null, 0]] : []
      const { mean, sd, n } = drawn
      return seeds.map(({ seed, run, value }) => [...at, seed, run, plotlyNumber(value), mean, sd, n])
    }),
  }
}
