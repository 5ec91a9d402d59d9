import { cellFilter } from '../runs/cellFilter.ts'
import type { PageCell } from '../session/edit.ts'
import { useNotebook } from '../session/state.ts'
import { runsHash } from '../ui/route.ts'

/** Leaves for the table of the runs that a cell has made. */
export function showRunsOf({ id }: Pick<PageCell, 'id'>): void {
  const { name } = useNotebook.getState()
  if (name !== null) location.hash = runsHash(cellFilter(name, id))
}
