import type * as tf from '@tensorflow/tfjs'
import {
  type PlannedParameter,
  type TrainingPlan,
  trainingPlan,
} from '../../../../engine/backends/webgpu/train/plan.ts'
import { recordTwice } from '../../../../engine/compile/compile.ts'
import { recordableCode } from '../../../../engine/compile/model.ts'
import type { Spec } from '../../../../engine/compile/record.ts'
import type { RecordedBatch } from '../../../../engine/compile/recordedBatch.ts'
import { PARAMETER, type Update } from '../../../../engine/compile/training.ts'
import { assemble } from '../../../../engine/nn/frame.ts'
import { softmaxCrossEntropy } from '../../../../engine/nn/losses.ts'
import { createModel } from '../../../../engine/nn/model.ts'
import { type ModelOptions, resolveSize } from '../../../../engine/nn/size.ts'
import type { Block, Modality } from '../../../../engine/nn/types.ts'
import { gradientCode, type LossOf } from '../../../../engine/train/differentiate.ts'

/** Every place of dropout, and stochastic depth. */
export const DROPPING: ModelOptions = {
  dropPath: 0.1,
  dropout: { hidden: 0.1, activation: 0.1, attention: 0.1, head: 0.1, embedding: 0.1 },
}

/** An update with everything on. */
export const UPDATE: Update = {
  kernel: 'AdamWUpdate',
  options: { beta1: 0.9, beta2: 0.999, eps: 1e-8, weightDecay: 0.05 },
  clip: 1,
  average: 0.99,
  parts: 2,
}

/** The plan of a step whose batch was recorded with all its examples, or is taken in parts. */
export function stepPlan(...given: Parameters<typeof trainingPlan>): TrainingPlan {
  const plan = trainingPlan(...given)
  if (!plan) throw new Error('is to be recorded with all examples')
  return plan
}

export interface Sizes {
  options?: ModelOptions
  /** Shape of an example. */
  input: readonly number[]
  outputs: number
  batch: number
}

/** The graph of loss and gradients of a model, and its parameters. */
export async function trainingGraph(
  block: Block,
  modality: Modality,
  { options = {}, input, outputs, batch }: Sizes,
): Promise<{ recorded: RecordedBatch; trainees: PlannedParameter[] }> {
  const size = resolveSize(block, { ...options, ...block.options }, 'model')
  const dtype = modality === 'text' ? 'int32' : 'float32'
  const forward = assemble(block, size, modality, { inputs: outputs, outputs })
  const model = createModel(forward, { shape: [1, ...input], dtype }, 1)
  try {
    const rows = modality === 'text' ? [batch, ...input] : [batch]
    const inputs: Record<string, Spec> = {
      x: { shape: [batch, ...input], dtype },
      target: { shape: rows, dtype: 'int32' },
      ...Object.fromEntries(model.parameters.map(({ name, variable }) => [PARAMETER + name, variable])),
    }
    const lossOf: LossOf = ({ x, target }, mode) =>
      softmaxCrossEntropy(model.apply(x as tf.Tensor, mode), target as tf.Tensor)
    const graph = await recordTwice(inputs, recordableCode(model, true, gradientCode(model, lossOf)))
    if (graph instanceof Error) throw graph
    return {
      recorded: { graph, examples: batch, all: batch },
      trainees: model.parameters.map((each) => ({ ...each, scale: 1 })),
    }
  } finally {
    model.dispose()
  }
}
