import * as tf from '@tensorflow/tfjs-core'
import { valuesNow, watching } from '../compile/watching.ts'
import type { Model } from '../nn/model.ts'
import { lineOf } from '../notebook/location.ts'
import type { Batch, Task } from '../tasks/types.ts'
import { predict } from '../train/evaluate.ts'
import type { Recipe } from '../train/recipe.ts'

/**
 * An error about a loss that is not finite with its reason and what to try: the operation that first makes such a value of finite ones, with the
 * line of the cell that it is in, where the weights of the start already do, forward or backward, with the batch of that
 * step; else training has diverged. `model` has these weights. Runs operation by operation, where the backend can be read
 * at once.
 */
export async function whyNotFinite(
  { model, task, recipe, seed }: { model: Model; task: Task; recipe: Recipe; seed: number },
  { step, message }: { step: number; message: string },
): Promise<string> {
  const batches = task.trainBatches(recipe.batch, seed, step - 1, { recipe })
  const { value: batch } = await batches.next()
  let found: string | null = null
  tf.tidy(() => {
    const loss = () =>
      task.loss(predict(task, model, batch as Batch, { training: true, step: step - 1 }), batch as Batch)
    const run = () =>
      tf.engine().gradients(
        loss,
        model.trained.map(({ variable }) => variable),
      )
    const lines = new WeakMap<object, string>()
    const made = new WeakSet<object>()
    watching(run, ({ kernel, operands, results }) => {
      if (found !== null) return
      const given = Object.values(operands).filter((each) => each !== undefined)
      // an operation of the gradient belongs to the line of what it is the gradient of
      const line =
        lineOf(new Error('here')) ?? given.map(({ dataId }) => lines.get(dataId)).find((each) => each) ?? null
      for (const { dataId } of line === null ? [] : results) lines.set(dataId, line as string)
      const passedOn = given.some((each) => made.has(each.dataId) && hasNotFinite(each))
      for (const { dataId } of results) made.add(dataId)
      if (passedOn || !results.some(hasNotFinite)) return
      const where = `${line === null ? '' : `${line}: `}${message}`
      found = `${where}: ${kernel} is the first to give such a value; keep what it gets away from 0, or add an eps`
    })
  })
  tf.dispose(batch)
  await batches.return(undefined)
  const { learningRate } = recipe.optimizer.options as { learningRate: number }
  return found ?? `${message}: training diverged; try a learning rate below ${learningRate}, warmup, or clip`
}

function hasNotFinite(tensor: tf.TensorInfo): boolean {
  if (tensor.dtype !== 'float32') return false
  return (valuesNow(tensor) as Float32Array).some((value) => !Number.isFinite(value))
}
