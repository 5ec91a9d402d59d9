import { useMemo } from 'react'
import { CellModel } from '../model/CellModel.tsx'
import { OutputView } from '../outputs/OutputView.tsx'
import { lineIn } from '../protocol/error.ts'
import { useFolded } from '../session/folds.ts'
import { factsOf, useNotebook } from '../session/state.ts'
import { Designs } from '../study/Designs.tsx'
import { CellEditor } from './CellEditor.tsx'
import type { CellBodyProps } from './cellBody.ts'
import { FoldableOutput } from './FoldableOutput.tsx'
import { Folded } from './Folded.tsx'

/** TypeScript and its output. */
export function CodeCell({ cell, editing }: CellBodyProps) {
  const problem = useProblem(cell.id)
  const codeFolded = useFolded('code', cell.id)
  return (
    <>
      {codeFolded && !editing ? (
        <Folded part="code" id={cell.id} summary={firstLine(cell.source)} />
      ) : (
        <CellEditor
          cell={cell}
          language="typescript"
          label={`code of ${cell.id}`}
          focused={editing}
          problem={problem}
        />
      )}
      <Designs cell={cell.id} source={cell.source} />
      <CellModel id={cell.id} />
      <FoldableOutput id={cell.id}>
        <OutputView id={cell.id} />
      </FoldableOutput>
    </>
  )
}

function firstLine(source: string): string {
  return source.split('\n').find((line) => line.trim()) ?? ''
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
