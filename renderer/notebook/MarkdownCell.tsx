import { CodeEditor } from '../editor/CodeEditor.tsx'
import { Markdown } from '../markdown/Markdown.tsx'
import { select } from '../session/actions.ts'
import type { CellBodyProps } from './cellBody.ts'

/** Text to read, or to write while `editing`. */
export function MarkdownCell({ cell, editing }: CellBodyProps) {
  if (editing) {
    return (
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
    )
  }
  return (
    <div className="markdown">
      {cell.source.trim() ? (
        <Markdown source={cell.source} />
      ) : (
        <p className="empty">Empty text. Press Enter to write.</p>
      )}
    </div>
  )
}
