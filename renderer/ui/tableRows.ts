import type { DisplayValue } from '../../engine/display/types.ts'

/** The column that a table is sorted by. */
export interface Order {
  column: number
  direction: 'ascending' | 'descending'
}

const DIGITS = 6
const LONGEST = 200 // characters

/** Rows in an order: numbers before texts, what is empty always last, ties as they were. */
export function sorted(rows: DisplayValue[][], order: Order | null): DisplayValue[][] {
  if (!order) return rows
  const { column, direction } = order
  const sign = direction === 'ascending' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [a, b] = [one[column] ?? null, other[column] ?? null]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return sign * compare(a, b)
  })
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return String(a).localeCompare(String(b), undefined, { numeric: true })
}

/** A value as it stands in a table: a few digits, the beginning of a long text, a dash for nothing. */
export function textOfValue(value: DisplayValue): string {
  if (value === null) return '–'
  if (typeof value === 'number')
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS)))
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}...` : value
}
