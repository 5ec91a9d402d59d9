import { MixlabError } from '../errors.ts'
import { figure } from './figures.ts'
import { heatmap } from './heatmap.ts'
import { checkOptions, isOptions, type MarkOptions, marks, rowsOf, type TitleOptions, titles } from './marks.ts'
import { panels } from './panels.ts'
import { jsonNumber, type Numbers } from './read.ts'
import { runs } from './runs.ts'
import type { Marks } from './types.ts'

/**
 * Refuses titles in a second argument, which would be left out without a word; `rows.map(plot.line)` gives a number there.
 * `key` is what the numbers are called among options.
 */
const alone =
  <Given, Figure>(path: string, key: string, draw: (given: Given) => Figure): ((given: Given) => Figure) =>
  (given: Given, ...more: unknown[]) => {
    if (typeof more[0] !== 'object') return draw(given)
    throw new MixlabError('option', path, `takes one argument: ${path}({ ${key}: ..., title: ... })`)
  }

/** Lines, dots or bars. */
const drawMarks = (mark: Marks['mark']) =>
  alone(`plot.${mark}`, 'y', (given: Numbers | MarkOptions): Marks => marks(mark, given, `plot.${mark}`))

/**
 * Figures for the end of a cell or for `display`. They are plain data that keeps no tensor. Each takes numbers (an array,
 * a typed array or a tensor), or options with numbers. All throw MixlabError `option` with the path of what is wrong.
 */
export const plot = {
  /** Lines through points, in the order given. */
  line: drawMarks('line'),
  /** Dots. */
  scatter: drawMarks('scatter'),
  /** Bars from 0, side by side where there are several series. */
  bar: drawMarks('bar'),
  /** How often values lie in each of some bins. */
  histogram: alone('plot.histogram', 'x', histogram),
  /** A matrix in colours. */
  heatmap: alone('plot.heatmap', 'z', heatmap),
  /** Runs of the workspace: a metric over their training, or one column against another. */
  runs: alone('plot.runs', 'y', runs),
  /** Several of these as one, with letters. */
  panels: alone('plot.panels', 'panels', panels) as typeof panels,
}

interface HistogramOptions extends TitleOptions {
  /** The numbers to count, or several rows of them by name, which share their bins. */
  x: Numbers | Record<string, Numbers>
  /** Number of bins, 1 to 200; 30 if left out. */
  bins?: number
}

/** How many of the numbers lie in each of some bins of equal width. */
function histogram(given: Numbers | HistogramOptions): Marks {
  const path = 'plot.histogram'
  const options: HistogramOptions = isOptions(given) ? given : { x: given }
  checkOptions(options, ['x', 'bins', 'title', 'xLabel', 'yLabel'], path)
  const { bins = 30 } = options
  if (!Number.isInteger(bins) || bins < 1 || bins > 200)
    throw new MixlabError('option', `${path}.bins`, `${bins}, expected a whole number from 1 to 200`)
  const rows = rowsOf(options.x, `${path}.x`).map(({ name, values }) => {
    return { name, all: values.length, values: values.filter((value) => value !== null) }
  })
  const every = rows.flatMap(({ values }) => values)
  const [min, max] = every.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ] as [number, number])
  const width = every.length === 0 ? 1 : (max - min) / bins || 1
  const start = every.length === 0 ? 0 : max === min ? min - width / 2 : min
  const centres = Array.from({ length: bins }, (_, i) => jsonNumber(start + (i + 0.5) * width, 12))
  const left = rows.reduce((sum, { all, values }) => sum + all - values.length, 0)
  return figure<Marks>({
    type: 'marks',
    mark: 'bar',
    series: rows.map(({ name, values }) => {
      const counts = new Array<number>(bins).fill(0)
      for (const value of values) {
        const bin = Math.min(bins - 1, Math.max(0, Math.floor((value - start) / width)))
        counts[bin] = (counts[bin] ?? 0) + 1
      }
      return { name, x: centres, y: counts }
    }),
    barWidth: width,
    ...titles({ yLabel: 'count', ...options }),
    note: left > 0 ? `${left} values that are not finite are left out` : null,
  })
}
