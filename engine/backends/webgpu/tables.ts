import { lastPageOf, type Pages, pageOf, pagesOf, type Span, seenAt, tooMany, windowWith } from './pages.ts'
import { grid, type Workgroups } from './wgsl/dispatch.ts'

/** What a dispatch does with its line of a table. */
export interface LineShader {
  label: string
  /** See `LINE_OF` for how it finds its line. */
  code: string
}

/** A table in the memory of integers, for dispatches with a workgroup for each line. */
export interface Table {
  /** Numbers of a line. */
  width: number
  /** Line by line; as float64, since places may be beyond 2^31. */
  values: Float64Array
  /** Tells the places of floats that the line from `at` on names, by column; those of its own block alone. */
  visit(values: Float64Array, at: number, place: (column: number, offset: number, size: number) => void): void
  /** Places that all lines use, whose numbers are uniforms from the fifth on. */
  also: Span[]
}

/** A table for so many lines, which `fill` writes one after the other. */
export function filled(width: number, count: number, fill: (add: (...line: number[]) => void) => void): Float64Array {
  const values = new Float64Array(width * count)
  let at = 0
  fill((...line) => {
    for (let i = 0; i < width; i++) values[at + i] = line[i] as number
    at += width
  })
  return values
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
 * several one after the other. `label` is what is done with the lines.
 */
export function runsOf(
  pages: Pages,
  { width, values, visit, also }: Table,
  at: number,
  label: string,
): { runs: TableRun[]; values: Int32Array } {
  const runs: TableRun[] = []
  const count = values.length / width
  const isAll = pages.count === pages.seen
  const told = isAll ? values : values.slice()
  for (let first = 0; first < count; ) {
    const own = new Set(also.flatMap((span) => pagesOf(pages, span)))
    const more: number[] = []
    const note = (_: number, offset: number, size: number) => {
      const span = { offset, size }
      const last = lastPageOf(pages, span)
      for (let page = pageOf(pages, offset); page <= last; page++) {
        if (!own.has(page) && !more.includes(page)) more.push(page)
      }
    }
    let end = isAll ? count : first
    for (; end < count; end++) {
      visit(values, end * width, note)
      if (own.size + more.length > pages.seen) break
      for (const page of more) own.add(page)
      more.length = 0
    }
    if (end === first) throw tooMany(label, pages)
    const window = windowWith(pages, own)
    const { workgroups } = grid(end - first)
    const ofAll = also.map(({ offset }) => seenAt(pages, window, offset))
    runs.push({ workgroups, window, places: [at + first * width, end - first, workgroups[0], first, ...ofAll] })
    for (let line = isAll ? end : first; line < end; line++) {
      visit(values, line * width, (column, offset) => {
        told[line * width + column] = (values[line * width + column] as number) + seenAt(pages, window, offset) - offset
      })
    }
    first = end
  }
  return { runs, values: new Int32Array(told) }
}
