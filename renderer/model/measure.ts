import type { BackendInfo } from '../../engine/backends/types.ts'
import type { MeasuredSteps } from '../../engine/bench/stepTimes.ts'
import type { CostSizes } from '../../engine/cost/formulas.ts'
import type { Times } from '../../engine/diagram/time.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { TimedModel } from '../protocol/model.ts'
import { runningKernel } from '../session/kernel/control.ts'
import { useKernel } from '../session/kernel/state.ts'
import { askModeller } from './worker.ts'

/** Examples of the batch that is timed. */
const BATCH = 16

/** Measures a model on the backend of the kernel. Throws MixlabError while that trains, as both would be slower then. */
export async function measureOn(model: TimedModel): Promise<Times> {
  const backend = await idleBackend()
  return askModeller((modeller) => modeller.times(model, backend, BATCH))
}

/** The longest that the blocks of the formulas are timed, in ms. */
const BUDGET = 10_000

/** Times training steps of the blocks of the formulas on the backend of the kernel, for some ten seconds. Throws as `measureOn`. */
export async function measureSteps(at: CostSizes, axis: keyof CostSizes, batch = BATCH): Promise<MeasuredSteps> {
  const backend = await idleBackend()
  return askModeller(
    (modeller) => modeller.stepTimes({ at, axis, batch, budget: BUDGET }, backend),
    'a step of one of these models',
  )
}

async function idleBackend(): Promise<BackendInfo> {
  const kernel = await runningKernel()
  const { chosen } = await kernel.started
  if (useKernel.getState().phase === 'ready') return chosen
  throw new MixlabError('backend', '', 'a cell runs, and would disturb it; measure once it has ended')
}
