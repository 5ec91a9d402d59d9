import { MixlabError, suggest } from '../errors.ts'
import { checkOrder } from '../names.ts'
import { figure } from './figures.ts'
import { checkLength, type Matrix, type Numbers, readNumbers, readValues, shortText, type Values } from './read.ts'
import { extremes, spreadPlaces } from './thin.ts'
import type { DisplayValue, MarkSeries, Marks } from './types.ts'

/** Titles of a figure. */
export interface TitleOptions {
  title?: string
  xLabel?: string
  yLabel?: string
}

export interface MarkOptions extends TitleOptions {
  /** Places on the x axis; left out: 0, 1, 2, ... */
  x?: Values
  /** The numbers to draw, or several rows of them by name. */
  y: Numbers | Record<string, Numbers>
  /** The colours of the marks: texts or few numbers make groups, many numbers a scale (not for lines). */
  color?: Values
}

const KNOWN = ['x', 'y', 'color', 'title', 'xLabel', 'yLabel']

/** A figure says little with more marks, and is slow to draw. */
const LIMITS = { line: 4000, scatter: 5000, bar: 500 }
const MAX_SERIES = 40
const MAX_GROUPS = 12

/** Numbers, or options that have them as `y`. Throws MixlabError `option` with a path under `path`. */
export function marks(mark: Marks['mark'], given: Numbers | MarkOptions, path: string): Marks {
  const options = toOptions(given, path)
  checkOptions(options, KNOWN, path)
  const rows = rowsOf(options.y, `${path}.y`)
  const x = options.x === undefined ? null : readValues(options.x, `${path}.x`)
  const color = options.color === undefined ? null : readValues(options.color, `${path}.color`)
  const series = rows.flatMap(({ name, path, values }) => {
    if (x) checkLength(path, values.length, 'x', x.length)
    if (color) checkLength(path, values.length, 'color', color.length)
    const whole = { name, x: x ?? [...values.keys()], y: values }
    return color ? colored(whole, color, mark !== 'line') : [whole]
  })
  if (series.length > MAX_SERIES)
    throw new MixlabError('option', path, `has ${series.length} series, expected at most ${MAX_SERIES}`)
  const limit = Math.max(2, Math.floor(LIMITS[mark] / Math.max(1, series.length)))
  const thinned = series.map((each) => thin(mark, each, limit))
  const [all, kept] = [series, thinned].map((list) => list.reduce((sum, { y }) => sum + y.length, 0))
  return figure<Marks>({
    type: 'marks',
    mark,
    series: thinned,
    barWidth: null,
    ...titles(options),
    note: all === kept ? null : `${kept} of ${all} points`,
  })
}

/** The titles among options. */
export function titles({
  title = null,
  xLabel = null,
  yLabel = null,
}: { [Key in keyof TitleOptions]?: string | null }) {
  const short = (text: string | null) => (text === null ? null : shortText(String(text)))
  return { title: short(title), xLabel: short(xLabel), yLabel: short(yLabel) }
}

/** Throws MixlabError `option` for an option that is not among `known`. */
export function checkOptions(options: object, known: readonly string[], path: string): void {
  const wrong = Object.keys(options).find((key) => !known.includes(key))
  if (wrong !== undefined) throw new MixlabError('option', path, `unknown option '${wrong}'${suggest(wrong, known)}`)
}

/** The rows of numbers of `y`, each with its path for errors. */
export function rowsOf(y: unknown, path: string): { name: string; path: string; values: (number | null)[] }[] {
  if (!isRecord(y)) return [{ name: '', path, values: readNumbers(y, path) }]
  checkOrder(Object.keys(y), path)
  return Object.entries(y).map(([name, row]) => {
    return { name: shortText(name), path: `${path}.${name}`, values: readNumbers(row, `${path}.${name}`) }
  })
}

/** Whether a value holds others by name, and is neither a list nor a tensor. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Whether options were given, and not the data alone. */
export function isOptions<Options extends object>(given: Options | Matrix | Numbers): given is Options {
  return isRecord(given)
}

function toOptions(given: Numbers | MarkOptions, path: string): MarkOptions {
  if (!isOptions(given)) return { y: given }
  if ('y' in given) return given
  throw new MixlabError('option', `${path}.y`, 'missing, expected numbers')
}

function colored(series: MarkSeries, color: DisplayValue[], scale: boolean): MarkSeries[] {
  const groups = [...new Set(color)]
  if (scale && groups.length > MAX_GROUPS && color.every((value) => typeof value !== 'string'))
    return [{ ...series, color: color.map((value) => (typeof value === 'number' ? value : null)) }]
  return groups.map((group) => {
    const places = [...color.keys()].filter((i) => color[i] === group)
    const name = [series.name, group === null ? 'none' : String(group)].filter(Boolean).join(', ')
    return pick({ ...series, name }, places)
  })
}

function thin(mark: Marks['mark'], series: MarkSeries, limit: number): MarkSeries {
  if (series.y.length <= limit) return series
  return pick(series, mark === 'line' ? extremes(series.y, limit) : spreadPlaces(series.y.length, limit))
}

function pick(series: MarkSeries, places: number[]): MarkSeries {
  const of = <T>(values: (T | null)[]) => places.map((place) => values[place] ?? null)
  const { color } = series
  return { ...series, x: of(series.x), y: of(series.y), ...(color ? { color: of(color) } : {}) }
}
