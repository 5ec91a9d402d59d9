import { CodeEditor } from '../editor/CodeEditor.tsx'
import { select, setSource } from './actions.ts'
import type { CellBodyProps } from './cellBody.ts'

/** A query, kept with the notebook. */
export function SqlCell({ cell, editing }: CellBodyProps) {
  return (
    <CodeEditor
      value={cell.source}
      language="sql"
      label={`query ${cell.id}`}
      focused={editing}
      problem={null}
      onChange={(source) => setSource(cell.key, source)}
      onFocus={() => select(cell.key, true)}
      onEscape={() => select(cell.key)}
    />
  )
}
