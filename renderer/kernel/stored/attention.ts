import { dispose } from '@tensorflow/tfjs'
import type { FileSource } from '../../../engine/data/files.ts'
import { attentionMaps } from '../../../engine/nn/attentionMaps.ts'
import type { Modules } from '../../../engine/notebook/modules.ts'
import { VALIDATION } from '../../../engine/records/splits.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import { predict } from '../../../engine/train/evaluate.ts'
import type { AttentionRequest, SentAttention } from '../../protocol/kernel.ts'

/** The attention of a stored run for one validation example; throws as `rebuild`. None where there is no such example. */
export async function attentionOf(
  { run, weights, example }: AttentionRequest,
  files: FileSource,
  modules: Modules,
): Promise<SentAttention[]> {
  const { model, task, dispose: end } = await rebuild(run, weights, files, modules)
  try {
    let at = 0
    for await (const batch of task.evalBatches(VALIDATION, 1, example + 1)) {
      try {
        if (at++ !== example) continue
        const maps = await attentionMaps((mode) => predict(task, model, batch, mode))
        return maps.map(({ values, ...map }) => ({ ...map, values: new Uint8Array(values.slice().buffer) }))
      } finally {
        dispose(batch)
      }
    }
    return []
  } finally {
    end()
  }
}
