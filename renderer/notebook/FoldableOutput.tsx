import type { ReactNode } from 'react'
import { useFolded } from '../session/folds.ts'
import { useNotebook } from '../session/state.ts'
import { useCellStatus } from '../session/useCellStatus.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Folded } from './Folded.tsx'

/** The output of a cell; while it is folded, a line that stands for it. */
export function FoldableOutput({ id, children }: { id: string; children: ReactNode }) {
  const folded = useFolded('output', id)
  const printed = useNotebook((state) => Boolean(state.states[id]?.output))
  const status = useCellStatus(id)
  if (folded) return printed && <Folded part="output" id={id} summary="output" />
  return (
    <ErrorBoundary what={`The output of '${id}'`} again={status}>
      {children}
    </ErrorBoundary>
  )
}
