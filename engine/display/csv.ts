import type { DisplayValue } from './types.ts'

/** Rows as CSV (RFC 4180), with a line of names. Numbers have all their digits, and nothing is empty. */
export function toCsv(columns: string[], rows: DisplayValue[][]): string {
  const line = (values: DisplayValue[]) => values.map(field).join(',')
  return `${[columns, ...rows].map(line).join('\r\n')}\r\n`
}

function field(value: DisplayValue): string {
  const text = value === null ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
