import { useEffect, useRef } from 'react'
import { Dialog } from '../ui/Dialog.tsx'
import { closeDialog } from '../ui/dialog.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { useDeclaration } from './declaration.ts'
import { monaco, OPTIONS } from './monaco.ts'

/** Where a name that cells import is declared. */
export function DeclarationView() {
  const { model, position } = useDeclaration()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!box.current || !model) return
    const editor = monaco.editor.create(box.current, {
      ...OPTIONS,
      model,
      readOnly: true,
      scrollbar: {},
      ariaLabel: model.uri.path,
    })
    editor.setPosition(position)
    editor.revealLineNearTop(position.lineNumber)
    editor.focus()
    return () => editor.dispose()
  }, [model, position])
  return (
    <Dialog label="Declaration" className="fork">
      <header>
        <h2>{model?.uri.path.replace('/node_modules/', '')}</h2>
        <span className="spacer" />
        <IconButton icon="close" label="Close" onClick={closeDialog} />
      </header>
      <div className="diff" ref={box} data-testid="declaration" />
    </Dialog>
  )
}
