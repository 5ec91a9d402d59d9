import { isShare } from '../records/meaning.ts'
import { metricTitle } from '../records/splits.ts'
import { duration } from '../study/duration.ts'
import { type Column, columnName } from './column.ts'
import { FACTS } from './facts.ts'
import type { CellValue, Spread } from './types.ts'

/** What stands for nothing. */
export const NOTHING = '–'

/** A value of a run, or of a group, as text. Shares are percentages; their unit stands in the title. */
export function cellText(column: Column, value: CellValue | Spread): string {
  if (value === null) return NOTHING
  if (isSpread(value)) return spreadText(column, value)
  return typeof value === 'number' ? numberText(column, value) : value
}

/** The title of a column, with its unit. */
export function columnTitle(column: Column): string {
  const name =
    column.kind === 'metric' || column.kind === 'step'
      ? metricTitle(columnName(column), column.name, column.meaning?.exploratory)
      : columnName(column)
  return inPercent(column) ? `${name}, %` : name
}

/** Whether a column holds numbers, so that it stands to the right. */
export function isNumeric(column: Column): boolean {
  if (column.kind !== 'fact') return column.kind !== 'option'
  const kind = FACTS[column.name]
  return kind === 'number' || kind === 'span'
}

export function isSpread(value: CellValue | Spread): value is Spread {
  return typeof value === 'object' && value !== null
}

/** `93.12 ± 0.41 (6)`; a span and a number of steps without the decimals of their mean. */
function spreadText(column: Column, { mean, sd, n }: Spread): string {
  const scale = inPercent(column) ? 100 : 1
  const digits = inPercent(column) ? 2 : column.kind === 'fact' ? 1 : digitsFor(Math.abs(mean))
  const number = (value: number) => (digits === null ? value.toPrecision(3) : (value * scale).toFixed(digits))
  if (isSpan(column)) return `${duration(mean)}${sd === null ? '' : ` ± ${duration(sd)}`} (${n})`
  return `${number(mean)}${sd === null ? '' : ` ± ${number(sd)}`} (${n})`
}

function numberText(column: Column, value: number): string {
  if (inPercent(column)) return (value * 100).toFixed(2)
  if (column.kind === 'metric' || column.kind === 'step') {
    if (Number.isInteger(value) && Math.abs(value) >= 100) return value.toLocaleString('en-US')
    const digits = digitsFor(Math.abs(value))
    return digits === null ? value.toPrecision(3) : value.toFixed(digits)
  }
  if (column.kind === 'option') return String(Number(value.toPrecision(6)))
  switch (FACTS[column.name]) {
    case 'span':
      return duration(value)
    case 'time':
      return dateText(value)
    case 'flag':
      return value ? 'yes' : 'no'
    default:
      return GROUPED.has(column.name) ? value.toLocaleString('en-US') : String(value)
  }
}

/** Large counts, with commas. */
const GROUPED = new Set(['parameters', 'macs'])

/** `2026-11-21 14:30`, where the user is. */
function dateText(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

function inPercent(column: Column): boolean {
  return (column.kind === 'metric' || column.kind === 'step') && isShare(column.meaning)
}

function isSpan(column: Column): boolean {
  return column.kind === 'fact' && FACTS[column.name] === 'span'
}

/** Decimals that show about four digits; null for what is too small or too large for them. */
function digitsFor(size: number): number | null {
  if (size === 0 || (size >= 0.01 && size < 10)) return 4
  if (size >= 1e6 || size < 0.01) return null
  return size >= 100 ? 1 : 2
}
