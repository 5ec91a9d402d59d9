import { lazy, Suspense, useState } from 'react'
import type { Explanation } from '../../../engine/records/explanation.ts'
import type { StoredRunDetails } from '../../../engine/records/run.ts'
import type { WhichWeights } from '../../../engine/records/store.ts'
import { host } from '../../host/state.ts'
import { useAnswer } from '../../host/useAnswer.ts'
import type { SentExplanation } from '../../protocol/kernel.ts'
import { runningKernel } from '../../session/kernel/control.ts'
import { Button } from '../../ui/Button.tsx'
import type { Question } from './question.ts'
import { Shares } from './Shares.tsx'

const WhyView = lazy(() => import('./WhyView.tsx').then(({ WhyView }) => ({ default: WhyView })))

interface WhyProps {
  run: StoredRunDetails
  which: WhichWeights
  question: Question
}

/** Why the run gave its answer to the question: read when it is asked for. */
export function Why({ run, which, question }: WhyProps) {
  const [wanted, want] = useState(false)
  const { value, error } = useAnswer(String(wanted), async () => {
    if (!wanted) return null
    const kernel = await runningKernel()
    return received(await kernel.explain({ run, weights: await host().readWeights(run.id, which), question }))
  })
  if (!wanted) {
    return (
      <div>
        <Button onClick={() => want(true)} testId="try-why">
          Why this answer
        </Button>
      </div>
    )
  }
  return (
    // the focus of the button that was here
    <div tabIndex={-1} ref={takeFocus} aria-live="polite" aria-busy={!value && !error}>
      {error && <p className="bad">{error}</p>}
      {!value && !error && <p className="muted">Parts of the input and of the model are left out one by one.</p>}
      {value && (
        <Suspense>
          <WhyView explanation={value} />
        </Suspense>
      )}
    </div>
  )
}

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true })

/** The metric of the run without each part of its model; read when it is asked for. */
export function WithoutParts({ run, which }: Pick<WhyProps, 'run' | 'which'>) {
  const [wanted, want] = useState(false)
  const { value, error } = useAnswer(`${wanted} ${run.id} ${which}`, async () => {
    if (!wanted) return null
    const kernel = await runningKernel()
    return kernel.ablate({ run, weights: await host().readWeights(run.id, which) })
  })
  return (
    <details className="try-elsewhere" onToggle={({ currentTarget }) => want(wanted || currentTarget.open)}>
      <summary>Without each of its parts</summary>
      <div aria-live="polite" aria-busy={wanted && !value && !error}>
        {error && <p className="bad">{error}</p>}
        {!value && !error && <p className="muted">The kernel leaves out one part after the other.</p>}
        {value && (
          <Shares
            title={`${value.metric} on ${value.examples} examples where a part does nothing; nothing is trained anew`}
            whole={value.whole}
            shares={value.parts}
          />
        )}
      </div>
    </details>
  )
}

function received({ drops, mixing, gradient, ...plain }: SentExplanation): Explanation {
  return {
    ...plain,
    drops: Float32Array.from(drops),
    mixing: mixing.map(({ values, ...each }) => ({ ...each, values: floatsOf(values) })),
    gradient: gradient && { ...gradient, values: floatsOf(gradient.values) },
  }
}

const floatsOf = (bytes: Uint8Array) => new Float32Array(bytes.slice().buffer)
