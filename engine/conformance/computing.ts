import * as tf from '@tensorflow/tfjs-core'
import { type Compiled, compiled, type ModelCode } from '../compile/model.ts'
import { hasPrograms } from '../compile/program.ts'
import type { Model } from '../nn/model.ts'

/**
 * Code of a model as training runs it on the current backend: as a program where there are any, but for backends whose
 * programs have the bits of their operations anyway. It throws the reason where a program cannot be made.
 */
export function computing(model: Model, training: boolean, body: ModelCode<string>): Compiled<string> {
  const backend = tf.backend()
  const program = hasPrograms(backend) && !backend.isImmediate
  const code = compiled(model, { training, program }, body)
  return {
    ...code,
    run: async (batch, step) => {
      const results = await code.run(batch, step)
      const slow = program ? code.fallback() : null
      if (!slow) return results
      tf.dispose(results)
      throw slow.reason
    },
  }
}
