import { cellFilter } from '../runs/cellFilter.ts'
import { runsHash } from '../shell/route.ts'
import type { PageCell } from './edit.ts'
import { useNotebook } from './state.ts'

/** Leaves for the table of the runs that a cell has made. */
export function showRuns({ id }: Pick<PageCell, 'id'>): void {
  const { name } = useNotebook.getState()
  if (name !== null) location.hash = runsHash(cellFilter(name, id))
}
