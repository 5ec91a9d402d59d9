import { create } from 'zustand'
import { useConnection } from '../host/state.ts'
import { remember, remembered } from '../ui/remembered.ts'
import { useNotebook } from './state.ts'

export type FoldedPart = 'code' | 'output'

const STORED = 'mixlab.folds'

const useFolds = create<{ folded: ReadonlySet<string> }>(() => ({ folded: stored() }))

/** Whether a part of a cell of the open notebook is folded. */
export function useFolded(part: FoldedPart, id: string): boolean {
  return useFolds(({ folded }) => folded.size > 0 && folded.has(keyOf(part, id)))
}

/** Folds a part of a cell, or unfolds it; remembered by the browser. */
export function toggleFold(part: FoldedPart, id: string): void {
  const folded = new Set(useFolds.getState().folded)
  if (!folded.delete(keyOf(part, id))) folded.add(keyOf(part, id))
  useFolds.setState({ folded })
  remember(STORED, [...folded])
}

function keyOf(part: FoldedPart, id: string): string {
  const { description } = useConnection.getState()
  return JSON.stringify([description?.workspace, useNotebook.getState().name, part, id])
}

function stored(): Set<string> {
  const value = remembered(STORED)
  return new Set(Array.isArray(value) ? value : [])
}
