import { lazy } from 'react'

let loading: ReturnType<typeof load> | null = null

/** The editors are most of the code of the page: it is drawn without them, and they come after, each knowing its language. */
export function loadEditors(): ReturnType<typeof load> {
  loading ??= load()
  return loading
}

async function load() {
  await import('monaco-editor/editor.js') // each in a task of its own, so that the page is free between them
  await import('monaco-editor/features/register.all.js')
  const whole = await import('./whole.ts')
  await whole.monaco.editor.colorize('', 'typescript', {}) // else it is loaded while the user writes
  return whole
}

export const CodeEditor = lazy(async () => ({ default: (await loadEditors()).CodeEditor }))
export const DeclarationView = lazy(async () => ({ default: (await loadEditors()).DeclarationView }))
export const DiffView = lazy(async () => ({ default: (await loadEditors()).DiffView }))
