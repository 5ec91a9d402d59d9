import * as tf from '@tensorflow/tfjs-core'
import { compiled } from '../compile/model.ts'
import { hasPrograms } from '../compile/program.ts'
import { assemble } from '../nn/frame.ts'
import { softmaxCrossEntropy } from '../nn/losses.ts'
import { createModel } from '../nn/model.ts'
import { resolveSize } from '../nn/size.ts'
import { integer, keyOf, normal } from '../random.ts'
import type { LossOf } from '../train/differentiate.ts'
import { movingAverage } from '../train/ema.ts'
import { adamw, optimizerOf } from '../train/optimizers/index.ts'
import { type TrainingSteps, trainingSteps } from '../train/steps/index.ts'
import type { Configuration } from './configurations.ts'

/** What is timed: each call waits until its result is there. */
export interface Bench {
  /** Forward, backward and update of one batch. Returns the loss. */
  train(): Promise<number>
  /** Logits of one batch, where the backend has them; it is waited for by reading them, where it does not at once. */
  forward(): Promise<void>
  dispose(): void
}

/** What is timed of this engine alone. */
export interface OwnBench extends Bench {
  /** So many of these updates, waited for at the end alone. */
  many(count: number): Promise<void>
  /** Says that an update is to be done, and does not wait for it. */
  begin(): Promise<void>
  /** What each kind of dispatch of an update takes on a graphics card; null on a card without timestamps. */
  profile: TrainingSteps['profile']
}

/** The model of a configuration with a batch of random data, on the current backend; `program` as for `compiled`. */
export function prepare(configuration: Configuration, { program = true, optimizer: spec = adamw() } = {}): OwnBench {
  const { name, block, modality, input, outputs, batch } = configuration
  const dtype = modality === 'text' ? 'int32' : 'float32'
  const shape = [batch, ...input]
  const forward = assemble(block, resolveSize(block, {}, name), modality, { inputs: outputs, outputs })
  const model = createModel(forward, { shape, dtype }, 1)
  const kind = optimizerOf(spec)
  const optimizer = kind.create(kind.resolve(spec.options), model.trained)
  const lossOf: LossOf = ({ x, target }, mode) =>
    softmaxCrossEntropy(model.apply(x as tf.Tensor, mode), target as tf.Tensor)
  const recipe = { accumulate: 1, clip: undefined, ema: undefined, layerDecay: undefined }
  const average = movingAverage([], undefined)
  const steps = trainingSteps({ model, lossOf, parameters: model.trained, optimizer, average, recipe }, { program })
  const predictions = compiled<'logits'>(model, { training: false, program }, ({ x }, { mode }) => {
    return { logits: model.apply(x as tf.Tensor, mode) }
  })

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
      await steps.run({ x, target }, 0, 1e-3, false)
      const [loss] = await steps.readMetrics()
      return loss?.value as number
    },
    many: async (count) => {
      for (let i = 0; i < count; i++) await steps.run({ x, target }, i, 1e-3, false)
      await steps.readMetrics()
    },
    begin: () => steps.run({ x, target }, 0, 1e-3, false),
    profile: steps.profile,
    forward: async () => {
      const { logits } = await predictions.run({ x }, 0)
      const backend = tf.backend()
      if (!hasPrograms(backend) || !backend.isImmediate) await logits.data()
      logits.dispose()
    },
    dispose: () => {
      steps.dispose()
      predictions.dispose()
      optimizer.dispose()
      model.dispose()
      tf.dispose([x, target])
    },
  }
}
