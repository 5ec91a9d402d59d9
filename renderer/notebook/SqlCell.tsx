import { useMemo } from 'react'
import { QueryOutput } from '../outputs/QueryOutput.tsx'
import { useNotebook } from '../session/state.ts'
import { CellEditor } from './CellEditor.tsx'
import type { CellBodyProps } from './cellBody.ts'
import { FoldableOutput } from './FoldableOutput.tsx'

/** A query of the store, and its answer. */
export function SqlCell({ cell, editing }: CellBodyProps) {
  return (
    <>
      <CellEditor cell={cell} language="sql" label={`query ${cell.id}`} focused={editing} problem={useProblem(cell)} />
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
