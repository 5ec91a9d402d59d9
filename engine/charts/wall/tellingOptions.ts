import type { GroupedRun } from './groups.ts'

/** More axes side by side cannot be read. */
const AXES = 8
const LONGEST = 24 // characters of a value on an axis

/** The first columns that all runs have, that can be read, and that tell runs apart in ways of their own. */
export function tellingOptions(rows: GroupedRun[], columns: readonly string[], most = AXES): string[] {
  const ways = new Set<string>([rows.map(() => 0).join()])
  const telling = columns.filter((column) => {
    const places = new Map<string | number, number>()
    const way: number[] = []
    for (const { values } of rows) {
      const value = values[column] ?? null
      if (value === null || String(value).length > LONGEST) return false
      const place = places.get(value) ?? places.size
      places.set(value, place)
      way.push(place)
    }
    return !ways.has(way.join()) && ways.add(way.join())
  })
  return telling.slice(0, most)
}
