import * as tf from '@tensorflow/tfjs-core'
import type { FileSource } from '../data/files.ts'
import type { AttentionMap } from '../nn/attentionMaps.ts'
import { attentionMaps } from '../nn/attentionMaps.ts'
import type { Modules } from '../notebook/modules.ts'
import type { StoredRunDetails } from '../records/run.ts'
import { VALIDATION } from '../records/splits.ts'
import { rebuild } from '../study/recreate/rebuild.ts'
import { predict } from '../train/evaluate.ts'

/**
 * The attention of a stored run with such weights for one validation example, the first one is 0; none where there is no
 * such example. Throws as `rebuild`.
 */
export async function attentionOf(
  run: StoredRunDetails,
  weights: Uint8Array,
  example: number,
  files: FileSource,
  modules: Modules,
): Promise<AttentionMap[]> {
  const { model, task, dispose } = await rebuild(run, weights, files, modules)
  try {
    let at = 0
    for await (const batch of task.evalBatches(VALIDATION, 1, example + 1)) {
      try {
        if (at++ === example) return await attentionMaps((mode) => predict(task, model, batch, mode))
      } finally {
        tf.dispose(batch)
      }
    }
    return []
  } finally {
    dispose()
  }
}
