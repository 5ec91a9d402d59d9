import { toCsv } from '../display/csv.ts'
import { isSpread } from './format.ts'
import type { CellValue, ColumnName, Spread } from './types.ts'

/** Runs or groups as CSV with all their digits; a column in which numbers differ becomes three: mean, sd and n. */
export function runsCsv(columns: ColumnName[], rows: (CellValue | Spread)[][], raw = false): string {
  const spread = columns.map((_, i) => rows.some((row) => isSpread(row[i] ?? null)))
  const names = columns.flatMap((name, i) => (spread[i] ? [`${name} mean`, `${name} sd`, `${name} n`] : [name]))
  const values = rows.map((row) => columns.flatMap((_, i) => cells(row[i] ?? null, spread[i] ?? false)))
  return toCsv(names, values, raw)
}

function cells(value: CellValue | Spread, spread: boolean): CellValue[] {
  if (isSpread(value)) return [value.mean, value.sd, value.n]
  return spread ? [value, null, null] : [value]
}
