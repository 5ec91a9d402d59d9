import type { RunsSort } from '../../engine/runs/types.ts'

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
