import { create } from 'zustand'
import { useNotebook } from '../session/state.ts'

export interface FindState {
  open: boolean
  query: string
  replacement: string
  matchCase: boolean
  /** Which of the matches is shown; -1 before the first was asked for. */
  at: number
  /** The key of the cell that was selected when the bar was opened. */
  from: string | null
}

export const useFind = create<FindState>(() => ({
  open: false,
  query: '',
  replacement: '',
  matchCase: false,
  at: -1,
  from: null,
}))

export function openFind(): void {
  useFind.setState({ open: true, at: -1, from: useNotebook.getState().selected })
}

export function closeFind(): void {
  useFind.setState({ open: false })
}
