import { useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { host } from '../host/state.ts'
import { runningKernel } from '../session/kernel/control.ts'
import { Button } from '../ui/Button.tsx'
import { testedWeights } from './useShown.ts'

/** Offers to evaluate a run that keeps nothing of its test examples, which is then kept. */
export function EvaluateAgain({ run, onKept }: { run: StoredRunDetails; onKept(): void }) {
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
      <p className="muted">
        Of this run it is not kept what came of each test example, as of runs of earlier versions.
      </p>
      {run.hasWeights && (
        <Button disabled={state.busy} onClick={() => void evaluate()} testId="examples-again">
          {state.busy ? 'The kernel evaluates it' : 'Evaluate again'}
        </Button>
      )}
      {state.error && <p className="bad">{state.error}</p>}
    </>
  )
}
