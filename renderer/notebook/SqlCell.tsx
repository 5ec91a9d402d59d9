import { useMemo } from 'react'
import { ErrorView } from '../outputs/ErrorView.tsx'
import { QueryAnswer } from '../outputs/QueryAnswer.tsx'
import type { CellOutputView, QueryChart, QueryView } from '../protocol/output.ts'
import { setCellState, useNotebook } from '../session/state.ts'
import { storeOutput } from '../session/storeOutput.ts'
import { useStaleness } from '../session/useCellStatus.ts'
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

/** What the store has answered an SQL cell. */
function QueryOutput({ id }: { id: string }) {
  const output = useNotebook((state) => state.states[id]?.output ?? null)
  const staleness = useStaleness(id)
  if (!output || (!output.query && !output.error)) return null
  const { query, error } = output
  return (
    <div className="output" data-testid="output" data-stale={staleness !== null}>
      {staleness && <p className="stale-note">The query has changed since. Run the cell to bring this up to date.</p>}
      {query && <QueryAnswer id={id} query={query} onChart={(chart) => keepChart(id, output, query, chart)} />}
      {error && <ErrorView id={id} error={error} calm={output.ended === 'interrupted'} />}
    </div>
  )
}

function keepChart(id: string, output: CellOutputView, query: QueryView, chart: QueryChart | null): void {
  setCellState(id, { output: { ...output, query: { ...query, chart } } })
  storeOutput(id)
}
