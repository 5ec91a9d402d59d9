import { keyOf } from '../editor/cells.ts'
import { monaco } from '../editor/monaco.ts'
import { makeLive } from './live.ts'

/** The frame of a cell on the page. */
export function frameOf(key: string): Element | null {
  return document.querySelector(`[data-key="${CSS.escape(key)}"]`)
}

/** Gives a cell its editor and then does something with it; nothing for cells that show no text to write in. */
export function withEditor(key: string, act: (editor: monaco.editor.ICodeEditor) => void): void {
  makeLive(key)
  requestAnimationFrame(() => {
    const editor = monaco.editor.getEditors().find((each) => {
      const model = each.getModel()
      return model !== null && keyOf(model) === key
    })
    if (editor) act(editor)
  })
}
