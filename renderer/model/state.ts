import { create } from 'zustand'
import { useNotebook } from '../session/state.ts'

/** The cells of the open notebook whose models are shown; by notebook and cell. */
const useModels = create<{ shown: ReadonlySet<string> }>(() => ({ shown: new Set() }))

/** Whether the models of a cell are shown. */
export function useModelShown(cell: string): boolean {
  const notebook = useNotebook(({ name }) => name)
  return useModels(({ shown }) => shown.has(keyOf(notebook, cell)))
}

/** Shows the models of a cell, or hides them. */
export function toggleModel(cell: string): void {
  const shown = new Set(useModels.getState().shown)
  const key = keyOf(useNotebook.getState().name, cell)
  if (!shown.delete(key)) shown.add(key)
  useModels.setState({ shown })
}

const keyOf = (notebook: string | null, cell: string) => JSON.stringify([notebook, cell])
