import { MixlabError } from '../errors.ts'
import { CURVE_AXES, type CurveAxis, MAX_BY } from '../records/series.ts'
import { figure } from './figures.ts'
import { checkOptions, isRecord, type TitleOptions, titles } from './marks.ts'
import type { RunsFigure } from './types.ts'

export interface RunsOptions extends TitleOptions {
  /** Which runs, as in the table of runs: `study:gating status:done`; all of the workspace if left out. */
  filter?: string
  /** What is drawn: a metric, such as `validation/accuracy`, or, against an `x`, any column of numbers. */
  y: string
  /** What curves lie over: `step`, if left out, `time`, `macs`, `examples` or `epochs`. */
  over?: CurveAxis
  /** A column, such as `parameters`, `lr` or `test/accuracy`: each run is a dot, in place of a curve. */
  x?: string
  /** The column, or up to 3, by whose values runs are told apart; `variant` if left out, none by `[]`. */
  color?: string | readonly string[]
}

/** Characters of a filter; the words of the longest useful ones are ids. */
const LONGEST = 4000
const KNOWN = ['filter', 'y', 'over', 'x', 'color', 'title', 'xLabel', 'yLabel']
const path = 'plot.runs'

/**
 * Runs of the workspace, whichever notebook trained them, as they are when the cell has ended. Over training each group of
 * runs is a line, the mean in a band of one standard deviation; against a column each run is a dot. Throws MixlabError
 * `option`; what names no column is told below the cell.
 */
export function runs(options: RunsOptions): RunsFigure {
  if (!isRecord(options))
    throw new MixlabError('option', path, `expected ${path}({ filter: 'study:NAME', y: 'METRIC' })`)
  checkOptions(options, KNOWN, path)
  const { filter = '', y, over, x, color = 'variant' } = options as unknown as RunsOptions
  if (typeof filter !== 'string' || filter.length > LONGEST)
    throw refused('filter', `expected a text of up to ${LONGEST} characters, such as 'study:gating'`)
  if (!isName(y)) throw refused('y', "expected the name of a metric or column, such as 'validation/accuracy'")
  if (x !== undefined && over !== undefined) throw refused('over', 'curves have no x: give one of over and x')
  if (x !== undefined && !isName(x)) throw refused('x', "expected the name of a column, such as 'parameters'")
  if (over !== undefined && !CURVE_AXES.includes(over))
    throw refused('over', `'${over}', expected ${CURVE_AXES.join(', ')}; a column is given as x`)
  const by: unknown = typeof color === 'string' ? [color] : color
  if (!Array.isArray(by) || by.length > MAX_BY || !by.every(isName))
    throw refused('color', `expected the name of a column, or up to ${MAX_BY}`)
  const { title, xLabel, yLabel } = titles(options)
  const along = x === undefined ? { over: over ?? 'step' } : { x }
  return figure<RunsFigure>({ type: 'runs', filter, y, along, color: by, title, xLabel, yLabel })
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '' && name.length <= LONGEST
}

const refused = (option: string, message: string) => new MixlabError('option', `${path}.${option}`, message)
