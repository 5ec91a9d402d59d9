import * as tf from '@tensorflow/tfjs-core'
import type { Model } from '../nn/model.ts'
import { type OptimizerSpec, optimizerOf } from './optimizers/index.ts'

/** A model whose initial values are times what the groups of its optimizer say. Throws MixlabError `option` as these do. */
export function scaleInitially(model: Model, spec: OptimizerSpec): Model {
  try {
    const scales = optimizerOf(spec).initialScales?.(spec.options, model.trained) ?? []
    for (const [i, scale] of scales.entries()) {
      const { variable } = model.trained[i] as (typeof model.trained)[number]
      if (scale !== 1) tf.tidy(() => variable.assign(tf.mul(variable, scale)))
    }
    return model
  } catch (error) {
    model.dispose()
    throw error
  }
}
