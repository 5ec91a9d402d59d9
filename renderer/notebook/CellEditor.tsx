import { useEffect, useRef } from 'react'
import { CodeEditor, type CodeEditorProps } from '../editor/CodeEditor.tsx'
import { LINE_HEIGHT } from '../editor/monaco.ts'
import { useIsLive, watchCell } from '../session/live.ts'
import { StaticCode } from './StaticCode.tsx'

/** The text of a cell: an editor where it is seen or written in, elsewhere the same text without one. */
export function CellEditor(props: CodeEditorProps) {
  const { cellKey } = props
  const live = useIsLive(cellKey)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current ? watchCell(box.current, cellKey) : undefined), [cellKey])
  const lines = props.value.split('\n').length
  return (
    <div ref={box} style={{ minHeight: LINE_HEIGHT * lines }}>
      {live || props.focused ? (
        <CodeEditor {...props} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard, Enter on the cell does the same
        <div className="editor" onMouseDown={props.onFocus}>
          <StaticCode value={props.value} language={props.language} />
        </div>
      )}
    </div>
  )
}
