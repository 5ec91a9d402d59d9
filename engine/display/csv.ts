import type { DisplayValue } from './types.ts'

/** Rows as CSV (RFC 4180), with a line of names. Numbers have all their digits, and nothing is empty. */
export function toCsv(columns: string[], rows: DisplayValue[][]): string {
  return `${[columns, ...rows].map(csvLine).join('\r\n')}\r\n`
}

/** One row, without the end of its line. */
export const csvLine = (values: DisplayValue[]) => values.map(field).join(',')

function field(value: DisplayValue): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
