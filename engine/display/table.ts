import { MixlabError } from '../errors.ts'
import { checkOrder } from '../names.ts'
import { figure } from './figures.ts'
import { isRecord } from './marks.ts'
import { checkLength, readValue, readValues, shortText, type Values } from './read.ts'
import type { DisplayValue, Table } from './types.ts'

/** Of more rows the first ones are kept. */
const MAX_ROWS = 1000
const MAX_COLUMNS = 100
/** Characters of all texts together. */
const MAX_CHARACTERS = 1_000_000

/**
 * A table of records, one per row, or of columns by name. Columns come in the order in which they first appear; what a
 * record lacks is empty. Throws MixlabError `option` with the path of what is no number or text.
 */
export function table(given: readonly Record<string, unknown>[] | Record<string, Values>): Table {
  if (Array.isArray(given)) return ofRecords(given)
  if (isRecord(given)) return ofColumns(given)
  throw new MixlabError('option', 'table', 'expected an array of records, or columns by name')
}

function ofRecords(records: readonly unknown[]): Table {
  const shown = records.slice(0, MAX_ROWS).map((record, i) => {
    if (isRecord(record)) return record
    throw new MixlabError('option', `table[${i}]`, 'expected a record, such as { name: 1 }')
  })
  for (const [i, record] of shown.entries()) checkOrder(Object.keys(record), `table[${i}]`)
  const columns = [...new Set(shown.flatMap((record) => Object.keys(record)))]
  checkColumns(columns)
  const rows = shown.map((record, i) =>
    columns.map((name) => readValue(Object.hasOwn(record, name) ? record[name] : null, `table[${i}].${name}`)),
  )
  return tableOf(columns, rows, records.length)
}

function ofColumns(given: Record<string, unknown>): Table {
  const columns = Object.keys(given)
  checkOrder(columns, 'table')
  checkColumns(columns)
  const values = columns.map((name) => readValues(given[name], `table.${name}`))
  const [first = []] = values
  for (const [i, column] of values.entries())
    checkLength(`table.${columns[i]}`, column.length, `${columns[0]}`, first.length)
  const rows = first.slice(0, MAX_ROWS).map((_, row) => values.map((column): DisplayValue => column[row] ?? null))
  return tableOf(columns, rows, first.length)
}

function tableOf(columns: string[], rows: DisplayValue[][], total: number): Table {
  let characters = 0
  const full = rows.findIndex((row) => {
    for (const value of row) characters += typeof value === 'string' ? value.length : 0
    return characters > MAX_CHARACTERS
  })
  const shown = full < 0 ? rows : rows.slice(0, full)
  return figure<Table>({ type: 'table', columns: columns.map(shortText), rows: shown, total })
}

function checkColumns(columns: string[]): void {
  if (columns.length <= MAX_COLUMNS) return
  throw new MixlabError('option', 'table', `has ${columns.length} columns, expected at most ${MAX_COLUMNS}`)
}
