import { useMemo } from 'react'
import { CodeEditor } from '../editor/CodeEditor.tsx'
import { lineIn } from '../kernel/error.ts'
import { OutputView } from '../outputs/OutputView.tsx'
import { select, setSource } from './actions.ts'
import type { CellBodyProps } from './cellBody.ts'
import { factsOf, useNotebook } from './state.ts'

/** TypeScript and what came of it. */
export function CodeCell({ cell, editing }: CellBodyProps) {
  const problem = useProblem(cell.id)
  return (
    <>
      <CodeEditor
        value={cell.source}
        language="typescript"
        label={`code of ${cell.id}`}
        focused={editing}
        problem={problem}
        onChange={(source) => setSource(cell.key, source)}
        onFocus={() => select(cell.key, true)}
        onEscape={() => select(cell.key)}
      />
      <OutputView id={cell.id} />
    </>
  )
}

/** Where a cell is wrong: what analysis finds now, else the error of its last run if the text is still the same. */
function useProblem(id: string) {
  const found = useNotebook((state) => factsOf(state, id)?.error ?? null)
  const thrown = useNotebook((state) => {
    const known = state.states[id]
    return known?.fingerprint === factsOf(state, id)?.fingerprint ? (known?.output?.error ?? null) : null
  })
  return useMemo(() => {
    if (found) return { line: lineIn(id, found) ?? 1, message: found }
    return thrown?.line ? { line: thrown.line, message: thrown.message } : null
  }, [id, found, thrown])
}
