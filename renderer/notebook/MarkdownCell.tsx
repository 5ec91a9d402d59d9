import { Suspense } from 'react'
import { CodeEditor } from '../editor/load.ts'
import { select } from '../session/actions.ts'
import { CellProse } from './CellProse.tsx'
import type { CellBodyProps } from './cellBody.ts'

/** Text to read, or to write while `editing`. */
export function MarkdownCell({ cell, editing }: CellBodyProps) {
  if (editing) {
    return (
      <Suspense>
        <CodeEditor
          cellKey={cell.key}
          value={cell.source}
          language="markdown"
          label={`text of ${cell.id}`}
          focused
          problem={null}
          onFocus={() => {}}
          onEscape={() => select(cell.key)}
        />
      </Suspense>
    )
  }
  return (
    <div className="markdown">
      {cell.source.trim() ? (
        <CellProse source={cell.source} />
      ) : (
        <p className="empty">Empty text. Press Enter to write.</p>
      )}
    </div>
  )
}
