import { messageOf } from '../../engine/errors.ts'
import type { AttentionMap } from '../../engine/nn/attentionMaps.ts'
import type { WhichWeights } from '../../engine/records/store.ts'
import { host } from '../host/state.ts'
import { runningKernel } from '../session/kernel/control.ts'

/** The attention of a run for a held-out example, from the kernel, or why there is none. */
export async function readAttention(
  run: number,
  which: WhichWeights,
  example: number,
): Promise<{ maps: AttentionMap[]; error: string | null }> {
  try {
    const details = await host().showRun(String(run))
    const weights = await host().readWeights(run, which)
    const kernel = await runningKernel()
    const sent = await kernel.attention({ run: details, weights, example })
    const maps = sent.map(({ values, ...map }) => ({ ...map, values: new Float32Array(values.slice().buffer) }))
    return { maps, error: null }
  } catch (error) {
    return { maps: [], error: messageOf(error) }
  }
}
