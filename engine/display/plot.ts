import { MixlabError } from '../errors.ts'
import { heatmap } from './heatmap.ts'
import { histogram } from './histogram.ts'
import { type MarkOptions, marks } from './marks.ts'
import type { Numbers } from './read.ts'
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
}
