import * as tf from '@tensorflow/tfjs-core'
import type { Model } from '../nn/model.ts'
import type { Task } from '../tasks/types.ts'

/** Examples per evaluation batch. */
const BATCH = 128

/** Loss and all metrics of the task over the held-out examples, as `eval/<name>` to value. */
export async function evaluate(
  model: Model,
  task: Task,
  limit: number | undefined,
  pause: () => Promise<void>,
): Promise<Map<string, number>> {
  const evaluators = task.evaluators()
  let loss = 0
  let examples = 0
  for await (const { input, target } of task.evalBatches(BATCH, limit)) {
    const [logits, batchLoss] = tf.tidy(() => {
      const logits = model.apply(input)
      return [logits, task.loss(logits, target)]
    }) as [tf.Tensor, tf.Scalar]
    const count = target.shape[0] ?? 0
    const [values, labels, mean] = await Promise.all([logits.data(), target.data(), batchLoss.data()])
    tf.dispose([input, target, logits, batchLoss])
    for (const evaluator of evaluators) evaluator.add(values as Float32Array, labels as Int32Array)
    loss += (mean[0] as number) * count
    examples += count
    await pause()
  }
  return new Map([
    ['eval/loss', loss / examples],
    ...evaluators.map(({ name, value }) => [`eval/${name}`, value()] as [string, number]),
  ])
}
