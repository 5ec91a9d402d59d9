import { MixlabError, quoted } from '../errors.ts'
import type { Preparation } from '../tasks/types.ts'
import type { Answer } from './answer.ts'

/** The likeliest class of each pixel for logits `[height, width, classes]`, flat, and of how many pixels each class is. */
export function maskIn(logits: Float32Array, [height, width]: readonly [number, number], names: string[]): Answer {
  const counts = new Uint32Array(names.length)
  const pixels = Uint8Array.from({ length: height * width }, (_, at) => {
    const own = logits.subarray(at * names.length, (at + 1) * names.length)
    const likeliest = own.reduce((best, value, i) => (value > (own[best] as number) ? i : best), 0)
    counts[likeliest] = (counts[likeliest] as number) + 1
    return likeliest
  })
  const shares = names.map((name, i) => ({ name, probability: (counts[i] as number) / pixels.length }))
  const likely = shares.filter(({ probability }) => probability > 0).sort((a, b) => b.probability - a.probability)
  return { likely, mask: { height, width, pixels, classes: names } }
}

type SeriesPreparation = Extract<Preparation, { kind: 'series' }>

/** What a model says of the steps to come, `[horizon, channels]` flat, in the units of the series. */
export function forecastIn(values: Float32Array, { horizon, channels, mean, deviation }: SeriesPreparation): Answer {
  const at = (step: number, c: number) =>
    (values[step * channels + c] as number) * (deviation[c] as number) + (mean[c] as number)
  const forecast = Array.from({ length: horizon }, (_, step) => Array.from({ length: channels }, (_, c) => at(step, c)))
  return { likely: [], forecast }
}

/** Steps of a series, `[steps][channels]`, and what was left out of its text, in words. */
export interface ReadSteps {
  steps: number[][]
  note?: string
}

/**
 * The last steps that a model reads, in the units of the series, of a text: a step a line, the values of its channels apart
 * by commas, semicolons, tabs or spaces. A first line of names is left out, and so are columns of dates and times, which
 * the note names. Throws MixlabError `data`.
 */
export function stepsIn(text: string, name: string, { window, channels }: SeriesPreparation): ReadSteps {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  const all = lines.flatMap((line, i) => (line.trim() === '' ? [] : [{ number: i + 1, line }]))
  const cellsOf = cellsBy(all.at(-1)?.line ?? '')
  const rows = all.map(({ number, line }) => ({ number, cells: cellsOf(line) }))
  const names = rows[0]?.cells.some(isName) ? (rows.shift()?.cells ?? null) : null
  const width = rows[0]?.cells.length ?? channels
  const columns = Array.from({ length: width }, (_, column) => column)
  const dates = columns.filter((column) => rows.every(({ cells }) => isTime(cells[column] ?? '')))
  const counted =
    width - dates.length - channels === 1 ? columns.filter((column) => TIME.test(names?.[column] ?? '-')) : []
  const left = [...new Set([...dates, ...(counted.length === 1 ? counted : [])])].sort((a, b) => a - b)
  const steps = rows.map(({ number, cells }) => {
    const own = cells.filter((_, column) => !left.includes(column))
    const wrong = own.find((cell) => !isNumber(cell))
    if (own.length === channels && wrong === undefined) return own.map(Number)
    const what =
      own.length !== channels ? plural(own.length, 'value') : wrong === '' ? 'an empty value' : quoted(wrong as string)
    throw new MixlabError(
      'data',
      name,
      `line ${number} has ${what}, expected ${plural(channels, 'number')}, one a channel`,
    )
  })
  if (steps.length < window)
    throw new MixlabError('data', name, `has ${plural(steps.length, 'step')}, the model reads ${window}`)
  const last = steps.slice(-window)
  if (left.length === 0) return { steps: last }
  const called = left.map((column) => (names?.[column] ? quoted(names[column]) : String(column + 1)))
  return {
    steps: last,
    note: `left out ${called.length === 1 ? 'column' : 'columns'} ${called.join(', ')}: dates or times`,
  }
}

/** Steps of a series as a model reads them, `[window, channels]` flat. */
export function scaledSteps(steps: number[][], { channels, mean, deviation }: SeriesPreparation): Float32Array {
  return Float32Array.from(steps.flat(), (value, i) => {
    return (value - (mean[i % channels] as number)) / (deviation[i % channels] as number)
  })
}

const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

const isNumber = (cell: string) => cell !== '' && Number.isFinite(Number(cell))

const MONTH = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i
/** A date, a time, or both, in digits; year, month and day stand in any order. */
const DIGITS =
  /^(\d{1,4}[-/.]\d{1,2}([-/.]\d{1,4})?\.?|\d{4}-?Q[1-4])?([T ]*\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?)?( ?(Z|UTC|[AP]M|[+-]\d{2}:?\d{2}))?$/i

const isTime = (cell: string) =>
  cell !== '' && !isNumber(cell) && (DIGITS.test(cell) || (MONTH.test(cell) && /\d/.test(cell) && cell.length < 40))

/** Whether a cell of the first line says that names stand there. */
const isName = (cell: string) =>
  /\p{L}/u.test(cell) && !isTime(cell) && !/^[+-]?(nan|n\/?a|null|none|inf(inity)?)$/i.test(cell)

/** How columns are called that count time, or lines, in numbers. */
const TIME = /^(date|time|date ?_?time|timestamp|ds|index|unnamed: \d+|)$/i

/**
 * Cuts lines into cells, without quotes, by what stands between those of `line`. Between semicolons or tabs a comma is that
 * of a number.
 */
function cellsBy(line: string): (line: string) => string[] {
  const between = ['\t', ';', ','].find((each) => line.includes(each))
  const cell =
    between === undefined
      ? /"[^"]*"|\S+/g
      : new RegExp(`(?:"[^"]*"|[^${between}"])+|(?<=${between}|^)(?=${between})`, 'g')
  return (each) => {
    const cells = (each.trim().match(cell) ?? []).map((text) => text.replaceAll('"', '').trim())
    return between === ',' ? cells : cells.map((text) => text.replace(/^([+-]?\d+),(\d+)$/, '$1.$2'))
  }
}
