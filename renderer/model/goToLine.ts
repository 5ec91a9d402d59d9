import { editorOf } from '../editor/shown.ts'
import { select } from '../session/actions.ts'
import { reveal } from '../session/reveal.ts'
import { useNotebook } from '../session/state.ts'

/** How often an editor that comes into view is looked for. */
const FRAMES = 60

/** Goes to a line of the open notebook, `<cell>:<line>`, and writes there. */
export function goToLine(place: string): void {
  const [, cell, line] = /^(.*):(\d+)$/.exec(place) ?? []
  const found = useNotebook.getState().cells.find(({ id }) => id === cell)
  if (!found) return
  select(found.key, true)
  reveal()
  const put = (left: number) => {
    const editor = editorOf(found.key)
    if (editor) {
      editor.setPosition({ lineNumber: Number(line), column: 1 })
      editor.revealLineInCenterIfOutsideViewport(Number(line))
      editor.focus()
    } else if (left > 0) requestAnimationFrame(() => put(left - 1))
  }
  put(FRAMES)
}
