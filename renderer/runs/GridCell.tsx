import type { Column } from '../../engine/runs/column.ts'
import { cellText } from '../../engine/runs/format.ts'
import type { cellPlace } from './cellPlace.ts'
import { hashOf } from './open.ts'
import { type RunsRow, valueIn } from './rows.ts'

interface GridCellProps {
  row: RunsRow
  name: string
  column: Column
  place: ReturnType<typeof cellPlace>
  /** Whether it is the first of its row, which leads to the run. */
  first: boolean
}

const LONG = 12 // characters that fit everywhere

/** A value of a row. */
export function GridCell({ row, name, column, place, first }: GridCellProps) {
  const value = valueIn(row, name)
  const text = cellText(column, value)
  const fact = column.kind === 'fact' ? column.name : null
  const title = text.length > LONG ? text : undefined
  if (first || fact === 'variant') {
    return (
      <td {...place} title={title}>
        <a href={hashOf(row)} tabIndex={-1}>
          {text}
        </a>
      </td>
    )
  }
  if (fact === 'tags') {
    const tags = typeof value === 'string' ? value.split(' ') : []
    return (
      <td {...place} title={title}>
        {tags.map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </td>
    )
  }
  if (fact === 'status' && row.kind === 'run') {
    return (
      <td {...place} title={row.error ?? undefined}>
        <span className="run-status" data-status={row.status}>
          {text}
        </span>
      </td>
    )
  }
  return (
    <td {...place} title={title}>
      {text}
    </td>
  )
}
