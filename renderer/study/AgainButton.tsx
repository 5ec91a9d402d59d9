import type { ReactNode } from 'react'
import type { RunView } from '../protocol/study.ts'
import { trainAgainIn } from '../session/trainAgain.ts'
import { Button } from '../ui/Button.tsx'

interface AgainButtonProps {
  /** The cell that shows the study. */
  cell: string
  runs: readonly RunView[]
  /** While the study is in training there is no button. */
  running: boolean
  id: string
  children: ReactNode
}

/** Archives runs of a study and trains them again. */
export function AgainButton({ cell, runs, running, id, children }: AgainButtonProps) {
  if (running) return null
  return (
    <Button
      look="small"
      title="Archives these attempts, which stay in the table of runs, and runs the cell"
      onClick={() => void trainAgainIn(cell, runs)}
      testId={id}
    >
      {children}
    </Button>
  )
}
