import { lastPageOf, type Pages, pageOf, pagesOf, type Span, seenAt, tooMany, windowWith } from './pages.ts'
import { grid, type Workgroups } from './wgsl/dispatch.ts'

/** A dispatch with a workgroup for each line of a table in the memory of integers. */
export interface Table {
  label: string
  /** See `LINE_OF` for how it finds its line. */
  code: string
  lines: number[][]
  /** The places of floats that a line names, by column; those of its own block alone. */
  spans(line: readonly number[]): (Span & { column: number })[]
  /** Places that all lines use, whose numbers are uniforms from the fifth on. */
  also: Span[]
}

/** How a shader finds its line: the table from its first line on, the number of lines, workgroups across, and lines before. */
export const LINE_OF = `let table = places[0].x; let lines = places[0].y; let number = group.y * places[0].z + group.x;
  let before = places[0].w;`

/** A run over some lines of a table that see the same pages. */
export interface TableRun {
  workgroups: Workgroups
  places: number[]
  window: number[]
}

/**
 * The runs over a table that is at `at`, and its values: one, or, where the pages that its lines name are more than a shader sees,
 * several one after the other.
 */
export function runsOf(
  pages: Pages,
  { lines, spans, also, label }: Table,
  at: number,
): { runs: TableRun[]; values: Int32Array } {
  const runs: TableRun[] = []
  const width = lines[0]?.length ?? 0
  const told: number[][] = []
  const isAll = pages.count === pages.seen
  for (let first = 0; first < lines.length; ) {
    const own = new Set(also.flatMap((span) => pagesOf(pages, span)))
    let end = isAll ? lines.length : first
    for (; end < lines.length; end++) {
      const more = new Set<number>()
      for (const span of spans(lines[end] as number[])) {
        // lines are many, and most of them lie where others do
        const [first, last] = [pageOf(pages, span.offset), lastPageOf(pages, span)]
        if (!own.has(first) || !own.has(last) || last - first > 1) {
          for (const page of pagesOf(pages, span)) if (!own.has(page)) more.add(page)
        }
      }
      if (own.size + more.size > pages.seen) break
      for (const page of more) own.add(page)
    }
    if (end === first) throw tooMany(label, pages)
    const window = windowWith(pages, own)
    const { workgroups } = grid(end - first)
    runs.push({
      workgroups,
      window,
      places: [
        at + first * width,
        end - first,
        workgroups[0],
        first,
        ...also.map(({ offset }) => seenAt(pages, window, offset)),
      ],
    })
    for (const line of isAll ? [] : lines.slice(first, end)) {
      const moved = [...line]
      for (const { column, offset } of spans(line))
        moved[column] = (moved[column] as number) + seenAt(pages, window, offset) - offset
      told.push(moved)
    }
    first = end
  }
  return { runs, values: Int32Array.from((isAll ? lines : told).flat()) }
}
