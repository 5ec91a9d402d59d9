import * as tf from '@tensorflow/tfjs-core'
import { Unrepeatable } from '../../chance.ts'
import { recordableCode } from '../../compile/model.ts'
import { recordEagerly, type Spec } from '../../compile/record.ts'
import { PARAMETER } from '../../compile/training.ts'
import { createModel, type Forward, type TextExtras } from '../../nn/model.ts'
import { keyOf, normal } from '../../random.ts'
import type { Given } from './codeDigest.ts'

/** Examples of a batch: more than one, for what is done across them. */
const EXAMPLES = 2

/**
 * Runs code that cannot be recorded on shapes twice with the same numbers, in training and in evaluation. Says why it cannot
 * be trained where it draws by itself, or does something else the second time; whatever else it throws, training will.
 */
export function eagerRepetition(forward: Forward, { input, extras }: Given): Unrepeatable | undefined {
  const before = new Set(Object.values(tf.engine().registeredVariables))
  tf.engine().startScope('repetition')
  try {
    const model = createModel(forward, input, 0)
    const own = Object.entries({ input, ...extras }).map(([name, { shape, dtype = 'float32' }]) => [
      name,
      randomInput(name, { shape: shape.with(0, EXAMPLES), dtype }),
    ])
    const parameters = model.parameters.map(({ name, variable }) => [PARAMETER + name, tf.clone(variable)])
    const given: tf.NamedTensorMap = Object.fromEntries([...own, ...parameters])
    for (const training of [true, false]) {
      const code = recordableCode(
        model,
        training,
        ({ input, ...beside }, { mode }) => ({ output: model.apply(input as tf.Tensor, mode, beside as TextExtras) }),
        (shape) => tf.ones(shape),
      )
      const { graph } = recordEagerly(given, code)
      recordEagerly(given, code, graph)
    }
    return undefined
  } catch (error) {
    return error instanceof Unrepeatable ? error : undefined
  } finally {
    tf.engine().endScope()
    for (const made of Object.values(tf.engine().registeredVariables)) if (!before.has(made)) made.dispose()
  }
}

/** Normal draws, or ones, which are ids of something. */
export function randomInput(name: string, { shape, dtype }: Spec): tf.Tensor {
  if (dtype !== 'float32') return tf.ones(shape, dtype)
  const key = keyOf(1, `gradients/${name}`)
  return tf.tensor(
    Float32Array.from({ length: tf.util.sizeFromShape(shape) }, (_, i) => normal(key, i)),
    shape,
  )
}
