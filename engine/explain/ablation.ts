import * as tf from '@tensorflow/tfjs-core'
import type { Mode, Model } from '../nn/model.ts'
import type { Ablated } from '../nn/scope.ts'
import { selectionMetric, VALIDATION } from '../records/splits.ts'
import type { Task } from '../tasks/types.ts'
import { createEvaluator, predict } from '../train/evaluate.ts'

/** A part of a model that can be left out. */
export interface ModelPart {
  name: string
  ablated: Ablated
}

/** All blocks of a model and, of attentions with several heads, their heads, in the order of the code; `run` applies it. */
export function partsOf(run: (mode: Mode) => tf.Tensor): ModelPart[] {
  const parts: ModelPart[] = []
  const heads: ModelPart[] = []
  const onAttention: Mode['onAttention'] = (layer, { shape: [, count = 1] }) => {
    if (count === 1) return
    for (let head = 0; head < count; head++) heads.push({ name: `${layer}, head ${head}`, ablated: { layer, head } })
  }
  const onBlock: Mode['onBlock'] = (block) =>
    parts.push({ name: `block ${block}`, ablated: { block } }, ...heads.splice(0))
  tf.tidy(() => void run({ onAttention, onBlock }))
  return parts
}

/** A model of which a part does nothing: a block passes on what it gets, a head gives zeros. Its tensors are those of `model`. */
export function without(model: Model, ablated: Ablated): Model {
  return { ...model, apply: (input, mode, extras) => model.apply(input, { ...mode, ablated }, extras) }
}

/** What a metric of a model is, whole and without each of its parts. */
export interface AblatedMetric {
  /** The metric of the task on the validation split. */
  metric: string
  examples: number
  whole: number
  parts: { name: string; value: number }[]
}

/**
 * The metric of a task on the first `limit` validation examples, without each part of a model in turn; nothing is trained
 * anew. `pause` is awaited after each batch and may throw.
 */
export async function ablateOn(
  model: Model,
  task: Task,
  limit: number,
  pause: (part: number, parts: number) => Promise<void>,
): Promise<AblatedMetric> {
  const metric = selectionMetric(task.metric)
  let parts: ModelPart[] = []
  for await (const batch of task.evalBatches(VALIDATION, 1, 1)) {
    parts = partsOf((mode) => predict(task, model, batch, mode))
    tf.dispose(batch)
  }
  const measured = async (own: Model, at: number) => {
    const evaluator = createEvaluator(own, task)
    try {
      const { metrics, examples } = await evaluator.on(VALIDATION, limit, () => pause(at, parts.length))
      return { value: metrics.get(metric)?.value ?? Number.NaN, examples: examples[VALIDATION] ?? 0 }
    } finally {
      evaluator.dispose()
    }
  }
  const { value: whole, examples } = await measured(model, 0)
  const found: AblatedMetric['parts'] = []
  for (const [i, { name, ablated }] of parts.entries()) {
    found.push({ name, value: (await measured(without(model, ablated), i + 1)).value })
  }
  return { metric, examples, whole, parts: found }
}
