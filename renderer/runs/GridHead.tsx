import type { Column } from '../../engine/runs/column.ts'
import { columnTitle, isNumeric } from '../../engine/runs/format.ts'
import type { RunsSort } from '../../engine/runs/types.ts'
import { cellPlace } from './cellPlace.ts'
import { setSort } from './state.ts'
import type { Shown } from './useListing.ts'

/** The titles, by which the table is sorted. */
export function GridHead({ shown, left }: { shown: Shown; left: number[] }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="stays" style={{ left: left[0] }}>
          <span className="hidden">chosen</span>
        </th>
        {shown.columns.map(({ name, column }, i) => (
          <Title key={name} name={name} column={column} shown={shown} left={left[i + 1]} />
        ))}
        <th scope="col">
          <span className="hidden">actions</span>
        </th>
      </tr>
    </thead>
  )
}

interface TitleProps {
  name: string
  column: Column
  shown: Shown
  /** Where the column stays in view; undefined for one that does not. */
  left: number | undefined
}

function Title({ name, column, shown, left }: TitleProps) {
  const title = columnTitle(column)
  const place = shown.sort.findIndex((each) => each.column === name)
  const descending = shown.sort[place]?.descending
  const at = cellPlace(column, left)
  if (column.kind === 'step') {
    return (
      <th scope="col" {...at} title={`${title}: runs are not sorted by a value at a step`}>
        {title}
      </th>
    )
  }
  return (
    <th
      scope="col"
      {...at}
      aria-sort={place < 0 ? undefined : descending ? 'descending' : 'ascending'}
      data-column={name}
    >
      <button
        type="button"
        className="sort"
        title={`${title}: click to sort, with Shift after the other columns`}
        onClick={(event) => setSort(clicked(shown.sort, name, isNumeric(column), event.shiftKey))}
      >
        <span className="sort-name">{title}</span>
        {place >= 0 && (
          <span aria-hidden="true">{`${descending ? '▼' : '▲'}${shown.sort.length > 1 ? place + 1 : ''}`}</span>
        )}
      </button>
    </th>
  )
}

/**
 * The order after a click on the title of a column: that column alone, or after those before with `more`. Further clicks
 * turn it round, and then let go of it. Numbers begin with the largest.
 */
export function clicked(sort: RunsSort[], column: string, numeric: boolean, more: boolean): RunsSort[] {
  const known = sort.find((each) => each.column === column)
  if (!known) return [...(more ? sort : []), { column, descending: numeric }]
  if (!more && sort.length > 1) return [{ column, descending: numeric }]
  if (known.descending !== numeric) return sort.filter((each) => each !== known)
  return sort.map((each) => (each === known ? { column, descending: !numeric } : each))
}
