import { useEffect, useRef } from 'react'
import { CodeEditor, type CodeEditorProps } from '../editor/CodeEditor.tsx'
import { LINE_HEIGHT } from '../editor/monaco.ts'
import { select } from '../session/actions.ts'
import type { PageCell } from '../session/edit.ts'
import { useIsLive, watchCell } from '../session/live.ts'
import { StaticCode } from './StaticCode.tsx'

interface CellEditorProps extends Pick<CodeEditorProps, 'language' | 'label' | 'focused' | 'problem'> {
  cell: PageCell
}

/** The text of a cell: an editor where it is seen or written in, elsewhere the same text without one. */
export function CellEditor({ cell: { key: cellKey, source: value }, ...rest }: CellEditorProps) {
  const { focused, language } = rest
  const onFocus = () => select(cellKey, true)
  const live = useIsLive(cellKey)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current ? watchCell(box.current, cellKey) : undefined), [cellKey])
  const lines = value.split('\n').length
  return (
    <div ref={box} style={{ minHeight: LINE_HEIGHT * lines }}>
      {live || focused ? (
        <CodeEditor {...{ ...rest, cellKey, value, onFocus }} onEscape={() => select(cellKey)} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard, Enter on the cell does the same
        <div className="editor" onMouseDown={onFocus}>
          <StaticCode value={value} language={language} />
        </div>
      )}
    </div>
  )
}
