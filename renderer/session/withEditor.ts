import type { monaco } from '../editor/monaco.ts'
import { editorOf } from '../editor/shown.ts'
import { makeLive } from './live.ts'

/** The frame of a cell on the page. */
export function frameOf(key: string): Element | null {
  return document.querySelector(`[data-key="${CSS.escape(key)}"]`)
}

/** Counts calls: one that had to wait does nothing after a later one. */
let calls = 0

/**
 * Does something with the editor of a cell: at once where it has one, so that no key comes in between, else as soon as it
 * is drawn. Nothing for cells that show no text to write in.
 */
export function withEditor(key: string, act: (editor: monaco.editor.ICodeEditor) => void): void {
  const call = ++calls
  makeLive(key)
  const editor = editorOf(key)
  if (editor) act(editor)
  else {
    requestAnimationFrame(() => {
      const drawn = editorOf(key)
      if (drawn && call === calls) act(drawn)
    })
  }
}
