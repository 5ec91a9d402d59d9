import { create } from 'zustand'
import type { StartedCell } from '../../../engine/host.ts'
import { host } from '../../host/state.ts'

/** Cells of the open notebook that were in training when they were left, and whose code has changed since. */
export const useAsked = create<{ cells: StartedCell[] }>(() => ({ cells: [] }))

/** Shows what is to be asked; the same cells again change nothing. */
export function ask(cells: StartedCell[]): void {
  const ids = (all: StartedCell[]) => all.map(({ notebook, cell, at }) => `${notebook}/${cell}/${at}`).join()
  if (ids(cells) !== ids(useAsked.getState().cells)) useAsked.setState({ cells })
}

/** The user has decided about a cell: it does not go on. Its runs stay interrupted. */
export function leaveStarted({ notebook, cell }: StartedCell): void {
  useAsked.setState(({ cells }) => ({ cells: cells.filter((each) => each.cell !== cell) }))
  host()
    .endStarted(notebook, cell)
    .catch(() => {}) // it is asked about again
}
