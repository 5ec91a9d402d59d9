import * as tf from '@tensorflow/tfjs'
import { inputsOf } from '../../../engine/export/graph/record.ts'
import { tokensAt } from '../../../engine/nn/layers/tokens.ts'
import { fileShape, toFile } from '../../../engine/nn/layout.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { rebuild } from '../../../engine/study/recreate/rebuild.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'
import { files, modules, type Trained } from './trained.ts'

/** A tensor in the file of all of them. */
interface Entry {
  shape: number[]
  dtype: 'float32' | 'int32'
  count: number
  offset: number
}

const LEARNING_RATE = 0.01

/**
 * What training from the initial values of a run gives: batches, masks, losses, the first gradients, and all values after
 * the last step; tensors in one block of bytes.
 */
export async function startOf({ run, weights }: Trained, steps: number): Promise<{ json: object; bytes: Uint8Array }> {
  const rebuilt = await rebuild(run, weights, files, modules)
  const { task, block, size } = rebuilt
  const model = createModel(task.model(block, size), task.input, run.seed)
  const parts: Uint8Array[] = []
  let offset = 0
  const entry = (values: Float32Array | Int32Array, shape: number[]): Entry => {
    const bytes = new Uint8Array(values.slice().buffer)
    parts.push(bytes)
    const at = offset
    offset += bytes.length
    return { shape, dtype: values instanceof Int32Array ? 'int32' : 'float32', count: values.length, offset: at }
  }
  const inFile = (values: Float32Array, { shape, layout }: Model['parameters'][number]) =>
    entry(toFile(values, shape, layout), fileShape(shape, layout))
  const state = () =>
    Object.fromEntries(
      model.parameters.map((each) => [each.name, inFile(each.variable.dataSync() as Float32Array, each)]),
    )
  try {
    const json = {
      task: (run.spec as { task: { task: string } }).task.task,
      eps: 1e-5,
      learningRate: LEARNING_RATE,
      size: model.size,
      fixed: model.parameters.filter(({ trained }) => !trained).map(({ name }) => name),
      state: state(),
      steps: [] as { batch: Record<string, Entry>; masks: Entry[] }[],
      losses: [] as number[],
      gradients: {} as Record<string, Entry>,
      moved: {} as Record<string, Entry>,
    }
    const batches = task.trainBatches(8, run.seed, 0)
    for (let step = 0; step < steps; step++) {
      const { value: batch } = (await batches.next()) as { value: Batch }
      const masks: Entry[] = []
      const { value, grads } = tf.variableGrads(
        () => lossOf(task, model, batch, step, (values, shape) => masks.push(entry(values, shape))),
        model.trained.map(({ variable }) => variable),
      )
      json.losses.push(value.dataSync()[0] as number)
      const named = Object.entries(batch).map(([name, tensor]) => [
        name,
        entry(tensor.dataSync() as Float32Array, tensor.shape),
      ])
      json.steps.push({ batch: Object.fromEntries(named), masks })
      for (const each of model.trained) {
        const gradient = grads[each.variable.name]
        if (step === 0) {
          const values = (gradient?.dataSync() ?? new Float32Array(tf.util.sizeFromShape(each.shape))) as Float32Array
          json.gradients[each.name] = inFile(values, each)
        }
        if (gradient) tf.tidy(() => each.variable.assign(tf.sub(each.variable, tf.mul(gradient, LEARNING_RATE))))
      }
      tf.dispose([value, grads, ...Object.values(batch)])
    }
    await batches.return(undefined)
    for (const each of model.parameters) {
      if (!each.trained) json.moved[each.name] = inFile(each.variable.dataSync() as Float32Array, each)
    }
    return { json, bytes: Buffer.concat(parts) }
  } finally {
    model.dispose()
    rebuilt.dispose()
  }
}

function lossOf(
  task: Task,
  model: Model,
  batch: Batch,
  step: number,
  onMask: (values: Float32Array, shape: number[]) => void,
): tf.Scalar {
  const onDraw = (tensor: tf.Tensor, values: (step: number) => Float32Array) => onMask(values(step), tensor.shape)
  const { input, ...extras } = inputsOf(batch)
  const logits = model.apply(input, { training: true, step, onDraw }, extras)
  return task.loss(batch.positions ? tokensAt(logits, batch.positions) : logits, batch)
}
