import { create } from 'zustand'
import { openDialog } from '../ui/dialog.ts'
import type { Elsewhere } from './language/protocol.ts'
import { monaco } from './monaco.ts'

const SCHEME = 'declarations'

/** The file of declarations that is shown, and where in it. */
export const useDeclaration = create<{ model: monaco.editor.ITextModel | null; position: monaco.IPosition }>(() => ({
  model: null,
  position: { lineNumber: 1, column: 1 },
}))

/** The model of a file of declarations, made where it has none yet. */
export function declarationModel({ path, text }: Elsewhere): monaco.editor.ITextModel {
  const uri = monaco.Uri.from({ scheme: SCHEME, path })
  return monaco.editor.getModel(uri) ?? monaco.editor.createModel(text, 'typescript', uri)
}

export function isDeclaration(uri: monaco.Uri): boolean {
  return uri.scheme === SCHEME
}

export function showDeclaration(uri: monaco.Uri, position: monaco.IPosition): void {
  useDeclaration.setState({ model: monaco.editor.getModel(uri), position })
  openDialog('declaration')
}
