import { quoted } from '../../engine/runs/filter.ts'

/** The filter that only the runs of a cell of a notebook pass; see docs/runs.md. */
export function cellFilter(notebook: string, cell: string): string {
  return `notebook:${quoted(notebook)} cell:${quoted(cell)}`
}
