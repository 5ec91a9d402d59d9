import { create } from 'zustand'
import type { StartedCell } from '../../../engine/host.ts'
import { host } from '../../host/state.ts'

/** Cells of the open notebook that were in training when they were left, and whose code has changed since. */
export const usePendingDecisions = create<{ cells: StartedCell[] }>(() => ({ cells: [] }))

/** Shows the cells about which the user has to decide; the same cells again change nothing. */
export function showPendingDecisions(cells: StartedCell[]): void {
  const ids = (all: StartedCell[]) => all.map(({ notebook, cell, at }) => `${notebook}/${cell}/${at}`).join()
  if (ids(cells) !== ids(usePendingDecisions.getState().cells)) usePendingDecisions.setState({ cells })
}

/** The user has decided about a cell: it does not go on. Its runs stay interrupted. */
export function leaveStarted({ notebook, cell }: StartedCell): void {
  usePendingDecisions.setState(({ cells }) => ({ cells: cells.filter((each) => each.cell !== cell) }))
  host()
    .endStarted(notebook, cell)
    .catch(() => {}) // the user is asked again
}
