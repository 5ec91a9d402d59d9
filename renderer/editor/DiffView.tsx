import { useEffect, useRef } from 'react'
import { LINE_HEIGHT } from './metrics.ts'
import { monaco } from './monaco.ts'
import { placeIn } from './place.ts'

/** Two texts side by side, line by line. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current) return
    const element = placeIn(box.current)
    const editor = monaco.editor.createDiffEditor(element, {
      fontSize: 13,
      lineHeight: LINE_HEIGHT,
      minimap: { enabled: false },
      automaticLayout: true,
      contextmenu: false,
      hideUnchangedRegions: { enabled: true },
      readOnly: true,
      renderFinalNewline: 'on', // the number of an empty last line as any other
      renderOverviewRuler: false,
      scrollBeyondLastLine: false,
    })
    const original = monaco.editor.createModel(before, 'typescript')
    const modified = monaco.editor.createModel(after, 'typescript')
    const view = editor.createViewModel({ original, modified })
    editor.setModel(view)
    keepLabel(editor.getOriginalEditor(), 'as it was')
    keepLabel(editor.getModifiedEditor(), 'as it is now')
    return () => {
      element.remove()
      // Monaco throws where a model goes while its worker still compares it.
      void view.waitForDiff().then(() => {
        for (const each of [editor, view, original, modified]) each.dispose()
      })
    }
  }, [before, after])
  return <div className="diff" ref={box} data-testid="diff" />
}

/** The editor of differences takes the labels of its two sides away whenever the window changes its size. */
function keepLabel(side: monaco.editor.ICodeEditor, ariaLabel: string): void {
  const label = () => {
    if (side.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel) side.updateOptions({ ariaLabel })
  }
  side.onDidChangeConfiguration(label)
  label()
}
