import { Suspense, useEffect, useRef } from 'react'
import type { CodeEditorProps } from '../editor/CodeEditor.tsx'
import { CodeEditor } from '../editor/load.ts'
import { heightOf } from '../editor/metrics.ts'
import { select } from '../session/actions.ts'
import type { PageCell } from '../session/edit.ts'
import { useIsLive, watchCell } from '../session/live.ts'
import { StaticCode } from './StaticCode.tsx'

interface CellEditorProps extends Pick<CodeEditorProps, 'language' | 'label' | 'focused' | 'problem'> {
  cell: PageCell
}

/** Characters of a text that gets an editor only when somebody writes in it. */
const LONG = 20_000

/** The text of a cell: an editor where it is seen or written in, elsewhere the same text without one. */
export function CellEditor({ cell: { key: cellKey, source: value }, ...rest }: CellEditorProps) {
  const { focused, language } = rest
  const onFocus = () => select(cellKey, true)
  const live = useIsLive(cellKey)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => (box.current ? watchCell(box.current, cellKey) : undefined), [cellKey])
  const still = (
    // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard, Enter on the cell does the same
    <div className="editor" onMouseDown={onFocus}>
      <StaticCode value={value} language={language} />
    </div>
  )
  return (
    <div ref={box} style={{ minHeight: heightOf(value) }}>
      {(live && value.length < LONG) || focused ? (
        <Suspense fallback={still}>
          <CodeEditor {...{ ...rest, cellKey, value, onFocus }} onEscape={() => select(cellKey)} />
        </Suspense>
      ) : (
        still
      )}
    </div>
  )
}
