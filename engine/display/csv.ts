import type { DisplayValue } from './types.ts'

/**
 * Rows as CSV (RFC 4180), with a line of names. Numbers have all their digits, and nothing is empty. A text that a spreadsheet
 * would take for a formula gets an apostrophe in front, unless it is to stay `raw`.
 */
export function toCsv(columns: string[], rows: DisplayValue[][], raw = false): string {
  return `${[columns, ...rows].map((row) => csvLine(row, raw)).join('\r\n')}\r\n`
}

/** One row, without the end of its line. */
export const csvLine = (values: DisplayValue[], raw = false) => values.map((value) => field(value, raw)).join(',')

/** What a formula begins with, also in full width, as keyboards of East Asia have it. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

function field(value: DisplayValue, raw: boolean): string {
  const own = value === null ? '' : String(value)
  const isFormula = typeof value === 'string' && FORMULA.test(value) && !Number.isFinite(Number(value))
  const text = isFormula && !raw ? `'${own}` : own
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
