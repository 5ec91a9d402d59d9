import { useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { host } from '../host/state.ts'
import { runningKernel } from '../session/kernel/control.ts'
import { Button } from '../ui/Button.tsx'
import { testedWeights } from './useShown.ts'

interface EvaluateAgainProps {
  run: StoredRunDetails
  /** Why there is nothing of its test examples. */
  why: string
  onKept(): void
}

/** Offers to evaluate a run of whose test examples there is nothing that can be read, which is then kept. */
export function EvaluateAgain({ run, why, onKept }: EvaluateAgainProps) {
  const [state, setState] = useState<{ busy: boolean; error: string | null }>({ busy: false, error: null })
  const evaluate = async () => {
    setState({ busy: true, error: null })
    try {
      const kernel = await runningKernel()
      const asked = { run, test: '', weights: await testedWeights(run), again: true } as const
      const { outcomes } = await kernel.examples(asked)
      if (outcomes) await host().keepOutcomes(run.id, outcomes)
      onKept()
    } catch (error) {
      setState({ busy: false, error: messageOf(error) })
    }
  }
  return (
    <>
      <p className="muted">{why}</p>
      {run.hasWeights && (
        <Button disabled={state.busy} onClick={() => void evaluate()} testId="examples-again">
          {state.busy ? 'The kernel evaluates it' : 'Evaluate again'}
        </Button>
      )}
      {state.error && <p className="bad">{state.error}</p>}
    </>
  )
}
