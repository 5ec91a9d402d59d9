import { createElement, useState } from 'react'
import type { DisplayValue } from '../../engine/display/types.ts'
import { Button } from './Button.tsx'
import { ScrollBox } from './ScrollBox.tsx'
import { type Order, sorted, textOfValue } from './tableRows.ts'

interface DataTableProps {
  columns: string[]
  rows: DisplayValue[][]
  /** Rows that there are. */
  total: number
  label: string
  /** Where a cell leads, by the name of its column; null for nowhere. */
  linkOf?(column: string, value: DisplayValue): string | null
}

const FIRST = 100
const MORE = 500

/** A table that can be sorted by each column. Of many rows the first are drawn, and more on demand. */
export function DataTable({ columns, rows, total, label, linkOf }: DataTableProps) {
  const [order, setOrder] = useState<Order | null>(null)
  const [shown, setShown] = useState(FIRST)
  const numeric = columns.map((_, column) => rows.every((row) => typeof row[column] !== 'string'))
  const cells = (row: DisplayValue[]) =>
    row.map((value, column) => cell(value, numeric[column] ?? false, linkOf?.(columns[column] ?? '', value)))
  // Rows and columns are identified by their places, since they may be equal.
  const body = sorted(rows, order)
    .slice(0, shown)
    .map((row) => createElement('tr', null, ...cells(row)))
  const heads = columns.map((name, column) =>
    createElement(Head, { name, numeric: numeric[column] ?? false, column, order, onSort: setOrder }),
  )
  return (
    <div className="data" data-testid="data-table">
      <ScrollBox label={label}>
        <table className="data-table">
          <thead>{createElement('tr', null, ...heads)}</thead>
          {createElement('tbody', null, ...body)}
        </table>
      </ScrollBox>
      {(rows.length > shown || total > rows.length) && (
        <p className="data-more muted">
          {`${Math.min(shown, rows.length)} of ${total} rows`}
          {rows.length > shown && (
            <Button look="small" onClick={() => setShown(shown + MORE)}>
              Show more
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

interface HeadProps {
  name: string
  numeric: boolean
  column: number
  order: Order | null
  onSort(order: Order | null): void
}

/** Sorts upward, downward, and not at all, in turn. */
function Head({ name, numeric, column, order, onSort }: HeadProps) {
  const direction = order?.column === column ? order.direction : null
  const next = { ascending: { column, direction: 'descending' } as const, descending: null }
  return (
    <th scope="col" className={numeric ? 'number' : undefined} aria-sort={direction ?? undefined}>
      <button
        type="button"
        className="sort"
        onClick={() => onSort(direction ? next[direction] : { column, direction: 'ascending' })}
      >
        {name}
        <span aria-hidden="true">{direction === null ? '' : direction === 'ascending' ? ' ▲' : ' ▼'}</span>
      </button>
    </th>
  )
}

function cell(value: DisplayValue, numeric: boolean, link?: string | null) {
  const text = textOfValue(value)
  const title = value !== null && text !== String(value) ? String(value) : undefined
  const className = [numeric && 'number', value === null && 'muted'].filter(Boolean).join(' ')
  return (
    <td className={className || undefined} title={title}>
      {link ? <a href={link}>{text}</a> : text}
    </td>
  )
}
