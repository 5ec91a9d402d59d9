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
  const kernel = await runningKernel()
  const { chosen } = await kernel.started
  if (useKernel.getState().phase !== 'ready') {
    throw new MixlabError('backend', '', 'a cell runs, and would disturb it; measure once it has ended')
  }
  return askModeller((modeller) => modeller.times(model, chosen, BATCH))
}
