import { useMemo } from 'react'
import { QueryOutput } from '../outputs/QueryOutput.tsx'
import { select } from '../session/actions.ts'
import { useNotebook } from '../session/state.ts'
import { CellEditor } from './CellEditor.tsx'
import type { CellBodyProps } from './cellBody.ts'
import { FoldableOutput } from './FoldableOutput.tsx'

/** A query of the store, and its answer. */
export function SqlCell({ cell, editing }: CellBodyProps) {
  return (
    <>
      <CellEditor
        cellKey={cell.key}
        value={cell.source}
        language="sql"
        label={`query ${cell.id}`}
        focused={editing}
        problem={useProblem(cell)}
        onFocus={() => select(cell.key, true)}
        onEscape={() => select(cell.key)}
      />
      <FoldableOutput id={cell.id}>
        <QueryOutput id={cell.id} />
      </FoldableOutput>
    </>
  )
}

/** What was wrong when this text ran. */
function useProblem({ id, source }: CellBodyProps['cell']) {
  const error = useNotebook(({ states }) => (states[id]?.fingerprint === source ? states[id]?.output?.error : null))
  return useMemo(() => (error?.line ? { line: error.line, message: error.message } : null), [error])
}
