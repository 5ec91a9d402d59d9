import { dispose, type Tensor } from '@tensorflow/tfjs-core'
import { compiled } from '../compile/model.ts'
import type { Mode, Model } from '../nn/model.ts'
import type { Batch, BatchValues, Task } from '../tasks/types.ts'

/** Examples per evaluation batch. */
const BATCH = 128

/** Evaluates a model again and again. */
export interface Evaluation {
  /** Loss and all metrics of the task over the first `limit` held-out examples of each split, or all: name to value. */
  run(limit: number | undefined, pause: () => Promise<void>): Promise<Map<string, number>>
  dispose(): void
}

/** What the model says to a batch of the task. */
export function predict({ predict: own }: Task, model: Model, batch: Batch, mode: Mode): Tensor {
  return own ? own(model, batch, mode) : model.apply(batch.input, mode)
}

export function evaluation(model: Model, task: Task): Evaluation {
  const code = compiled<'prediction' | 'loss'>(model, { training: false }, (batch, { mode }) => {
    const prediction = predict(task, model, batch as Batch, mode)
    return { prediction, loss: task.loss(prediction, batch as Batch) }
  })

  async function evaluate(split: string, limit: number | undefined, pause: () => Promise<void>) {
    const evaluators = task.evaluators()
    let total = 0
    let examples = 0
    for await (const batch of task.evalBatches(BATCH, limit, split)) {
      const { prediction, loss } = await code.run(batch, 0)
      const count = batch.input.shape[0] ?? 0
      const [said, mean, values] = await Promise.all([prediction.data(), loss.data(), valuesOf(batch)])
      dispose([batch, prediction, loss])
      for (const evaluator of evaluators) evaluator.add(said as Float32Array, values)
      total += (mean[0] as number) * count
      examples += count
      await pause()
    }
    const metrics = [['loss', total / examples], ...evaluators.map(({ name, value }) => [name, value()])]
    return metrics.map(([name, value]) => [`${split}/${name}`, value] as [string, number])
  }

  return {
    run: async (limit, pause) => {
      const metrics = new Map<string, number>()
      for (const split of task.splits ?? ['eval']) {
        for (const [name, value] of await evaluate(split, limit, pause)) metrics.set(name, value)
      }
      return metrics
    },
    dispose: code.dispose,
  }
}

async function valuesOf(batch: Batch): Promise<BatchValues> {
  const entries = Object.entries(batch).map(async ([name, tensor]) => [name, await tensor.data()])
  return Object.fromEntries(await Promise.all(entries))
}
