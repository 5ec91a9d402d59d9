import { messageOf } from '../../engine/errors.ts'
import { notify } from '../ui/notices.ts'
import { saveBytes } from './saveBytes.ts'
import { host } from './state.ts'

/** Lets the user keep the weights of a run as a safetensors file. */
export async function exportWeights(run: { id: number; study: string; variant: string; seed: number }): Promise<void> {
  const name = `${run.study}-${run.variant}-seed${run.seed}.safetensors`.replace(/[^\w.-]+/g, '_')
  try {
    await saveBytes(name, await host().readWeights(run.id))
  } catch (error) {
    notify({ tone: 'bad', text: `${name} was not saved: ${messageOf(error)}` })
  }
}
