import { create } from 'zustand'

interface DialogState {
  open:
    | 'palette'
    | 'keys'
    | 'history'
    | 'fork'
    | 'made'
    | 'declaration'
    | 'conformance'
    | 'export'
    | 'import'
    | 'figure'
    | 'leaving'
    | null
  /** What the palette begins with. */
  query: string
}

/** The dialog over the page, if one is open. */
export const useDialog = create<DialogState>(() => ({ open: null, query: '' }))

export function openDialog(open: Exclude<DialogState['open'], null>, query = ''): void {
  useDialog.setState({ open, query })
}

export function closeDialog(): void {
  useDialog.setState({ open: null })
}
