import { lazy } from 'react'

/** The editors are most of the code of the page: it is drawn without them, and they come after. */
export const loadEditors = () => import('./whole.ts')

export const CodeEditor = lazy(async () => ({ default: (await loadEditors()).CodeEditor }))
export const DeclarationView = lazy(async () => ({ default: (await loadEditors()).DeclarationView }))
export const DiffView = lazy(async () => ({ default: (await loadEditors()).DiffView }))
