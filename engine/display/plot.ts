import { heatmap } from './heatmap.ts'
import { histogram } from './histogram.ts'
import { type MarkOptions, marks } from './marks.ts'
import type { Numbers } from './read.ts'
import type { Marks } from './types.ts'

/**
 * Figures for the end of a cell or for `display`. They are plain data that keeps no tensor. Each takes numbers (an array,
 * a typed array or a tensor), or options with numbers. All throw MixlabError `option` with the path of what is wrong.
 */
export const plot = {
  /** Lines through points, in the order given. */
  line: (given: Numbers | MarkOptions): Marks => marks('line', given, 'plot.line'),
  /** Dots. */
  scatter: (given: Numbers | MarkOptions): Marks => marks('scatter', given, 'plot.scatter'),
  /** Bars from 0, side by side where there are several series. */
  bar: (given: Numbers | MarkOptions): Marks => marks('bar', given, 'plot.bar'),
  histogram,
  heatmap,
}
