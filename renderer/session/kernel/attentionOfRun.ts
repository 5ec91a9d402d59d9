import { receivedAttention } from '../../../engine/explain/sentAttention.ts'
import type { AttentionMap } from '../../../engine/nn/attentionMaps.ts'
import type { WhichWeights } from '../../../engine/records/store.ts'
import { host } from '../../host/state.ts'
import { runningKernel } from './control.ts'

/** What a run attends to in a validation example, its model made again in the kernel. Throws MixlabError. */
export async function attentionOfRun(run: number, which: WhichWeights = 'last', example = 0): Promise<AttentionMap[]> {
  const details = await host().showRun(String(run))
  const weights = await host().readWeights(run, which)
  const kernel = await runningKernel()
  return receivedAttention(await kernel.attention({ run: details, weights, example }))
}
