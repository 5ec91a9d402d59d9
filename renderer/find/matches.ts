/** A text of a notebook in which is searched. */
export interface Searched {
  key: string
  source: string
}

/** A place found: offsets in the source of a cell. */
export interface Match {
  key: string
  start: number
  end: number
}

/** All places of `query` in the cells, in order; none overlap. */
export function findMatches(cells: readonly Searched[], query: string, matchCase: boolean): Match[] {
  if (!query) return []
  const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), matchCase ? 'gu' : 'giu')
  return cells.flatMap(({ key, source }) =>
    [...source.matchAll(pattern)].map(({ index, 0: { length } }) => ({ key, start: index, end: index + length })),
  )
}

/** A source with `replacement` in place of each of the matches in it. */
export function replaceMatches(source: string, matches: readonly Match[], replacement: string): string {
  let at = 0
  let text = ''
  for (const { start, end } of matches) {
    text += source.slice(at, start) + replacement
    at = end
  }
  return text + source.slice(at)
}

/** Line and column, both from 1, of an offset. */
export function positionAt(source: string, offset: number): { lineNumber: number; column: number } {
  const lines = source.slice(0, offset).split('\n')
  return { lineNumber: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
