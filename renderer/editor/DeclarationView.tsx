import { useEffect, useRef } from 'react'
import { Dialog, DialogHead } from '../ui/Dialog.tsx'
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
      <DialogHead title={model?.uri.path.replace('/node_modules/', '')} />
      <div className="diff" ref={box} data-testid="declaration" />
    </Dialog>
  )
}
