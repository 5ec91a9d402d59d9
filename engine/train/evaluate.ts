import type * as tf from '@tensorflow/tfjs-core'
import { dispose } from '@tensorflow/tfjs-core'
import { compiled } from '../compile/model.ts'
import type { Model } from '../nn/model.ts'
import type { Task } from '../tasks/types.ts'

/** Examples per evaluation batch. */
const BATCH = 128

/** Evaluates a model again and again. */
export interface Evaluation {
  /** Loss and all metrics of the task over the first `limit` held-out examples, or all: `eval/<name>` to value. */
  run(limit: number | undefined, pause: () => Promise<void>): Promise<Map<string, number>>
  dispose(): void
}

export function evaluation(model: Model, task: Task): Evaluation {
  const code = compiled<'logits' | 'loss'>(model, { training: false }, ({ input, target }, { mode }) => {
    const logits = model.apply(input as tf.Tensor, mode)
    return { logits, loss: task.loss(logits, target as tf.Tensor) }
  })
  return {
    run: async (limit, pause) => {
      const evaluators = task.evaluators()
      let total = 0
      let examples = 0
      for await (const { input, target } of task.evalBatches(BATCH, limit)) {
        const { logits, loss } = await code.run({ input, target }, 0)
        const count = target.shape[0] ?? 0
        const [values, labels, mean] = await Promise.all([logits.data(), target.data(), loss.data()])
        dispose([input, target, logits, loss])
        for (const evaluator of evaluators) evaluator.add(values as Float32Array, labels as Int32Array)
        total += (mean[0] as number) * count
        examples += count
        await pause()
      }
      return new Map([
        ['eval/loss', total / examples],
        ...evaluators.map(({ name, value }) => [`eval/${name}`, value()] as [string, number]),
      ])
    },
    dispose: code.dispose,
  }
}
