import * as tf from '@tensorflow/tfjs-core'
import { assemble } from '../nn/frame.ts'
import { createModel } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import { integer, keyOf, normal } from '../random.ts'
import { softmaxCrossEntropy } from '../train/losses.ts'
import { optimizerKind } from '../train/optimizers/index.ts'
import type { Configuration } from './configurations.ts'

/** What is timed: each call waits until its result is there. */
export interface Bench {
  /** Forward, backward and AdamW update of one batch. Returns the loss. */
  train(): Promise<number>
  /** Logits of one batch. */
  forward(): Promise<void>
  dispose(): void
}

/** The model of a configuration with a batch of random data, on the current backend. */
export function prepare({ name, block, modality, input, outputs, batch }: Configuration): Bench {
  const dtype = modality === 'text' ? 'int32' : 'float32'
  const shape = [batch, ...input]
  const forward = assemble(block, resolveSize(block, {}, name), modality, { inputs: outputs, outputs })
  const model = createModel(forward, { shape, dtype }, 1)
  const kind = optimizerKind('adamw')
  const optimizer = kind.create(kind.resolve({}), model.trained)
  const variables = model.trained.map(({ variable }) => variable)

  const key = keyOf(1, name)
  const size = tf.util.sizeFromShape(shape)
  const x = tf.tensor(
    modality === 'text'
      ? Int32Array.from({ length: size }, (_, i) => integer(key, i, outputs))
      : Float32Array.from({ length: size }, (_, i) => normal(key, i)),
    shape,
    dtype,
  )
  const rows = modality === 'text' ? shape : [batch]
  const labels = Int32Array.from({ length: tf.util.sizeFromShape(rows) }, (_, i) => integer(key, 2 ** 31 + i, outputs))
  const target = tf.tensor(labels, rows, 'int32')

  return {
    train: async () => {
      const loss = tf.tidy(() => {
        const run = () => softmaxCrossEntropy(model.apply(x, { training: true, step: 0 }), target)
        const { value, grads } = tf.variableGrads(run, variables)
        const named = model.trained.map(({ name, variable }) => [name, grads[variable.name]])
        optimizer.update(Object.fromEntries(named), 1e-3)
        return value
      })
      const [value] = await loss.data()
      loss.dispose()
      return value as number
    },
    forward: async () => {
      const logits = tf.tidy(() => model.apply(x))
      await logits.data()
      logits.dispose()
    },
    dispose: () => {
      optimizer.dispose()
      model.dispose()
      tf.dispose([x, target])
    },
  }
}
