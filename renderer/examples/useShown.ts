import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../engine/errors.ts'
import type { ShownExample } from '../../engine/examples/shown.ts'
import type { Outcomes } from '../../engine/records/outcomes/outcomes.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { chosenWeights } from '../../engine/records/tested.ts'
import { host } from '../host/state.ts'
import { runningKernel } from '../session/kernel/control.ts'

/** Examples as they are drawn, by their places in the test. */
type Drawn = ReadonlyMap<number, ShownExample>

/** Whether outcomes do not hold all that the model said, so that it is asked again. */
export const isAsked = (kind: Outcomes['kind']) => kind === 'places' || kind === 'numbers'

/**
 * Draws the examples at such places of a test in the kernel, those that are not drawn yet; all of them are kept. `error` says
 * why some are not.
 */
export function useShown(
  run: StoredRunDetails,
  test: string,
  kind: Outcomes['kind'],
  wanted: readonly number[],
): { drawn: Drawn; error: string | null } {
  const of = `${run.id} ${test}`
  const [state, setState] = useState<{ of: string; drawn: Drawn; error: string | null }>({
    of,
    drawn: new Map(),
    error: null,
  })
  const current = state.of === of ? state : { of, drawn: new Map<number, ShownExample>(), error: null }
  const missing = wanted.filter((index) => !current.drawn.has(index))
  const asked = useRef('')
  const question = `${of} ${missing.join()}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question says what is asked
  useEffect(() => {
    if (missing.length === 0 || asked.current === question || current.error) return
    asked.current = question
    shownBy(run, test, kind, missing).then(
      (shown) =>
        setState((before) => {
          const drawn = new Map(before.of === of ? before.drawn : [])
          for (const [i, index] of missing.entries()) drawn.set(index, shown[i] as ShownExample)
          return { of, drawn, error: null }
        }),
      (error) =>
        setState((before) => ({ of, drawn: before.of === of ? before.drawn : new Map(), error: messageOf(error) })),
    )
  }, [question])
  return current
}

async function shownBy(
  run: StoredRunDetails,
  test: string,
  kind: Outcomes['kind'],
  shown: number[],
): Promise<ShownExample[]> {
  const weights = isAsked(kind) && run.hasWeights ? await testedWeights(run) : null
  const kernel = await runningKernel()
  return (await kernel.examples({ run, test, weights, shown })).shown ?? []
}

/** The weights that a run was tested with. */
export async function testedWeights(run: StoredRunDetails): Promise<Uint8Array> {
  const kept = await host().listWeights(run.id)
  return host().readWeights(run.id, chosenWeights(run, kept, 'tested').which)
}
