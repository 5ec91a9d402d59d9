import * as tf from '@tensorflow/tfjs'
import { useBackend as startBackend } from '../../app/backends.ts'
import type { Code } from '../../engine/compile/record.ts'
import { dropout } from '../../engine/nn/layers/dropout.ts'
import { random } from '../../engine/nn/layers/random.ts'
import { residual } from '../../engine/nn/layers/residual.ts'
import { runInPass } from '../../engine/nn/scope.ts'
import { otherBits, type Values, valuesAsProgram } from './compare.ts'

/** The masks of a step, as they come out of dropout and stochastic depth of ones, and random numbers added to zeros. */
async function masks(backend: string, step: number): Promise<Values> {
  await startBackend(backend, 1)
  const code: Code = ({ x }, { draw }) => {
    const pass = { parameters: new Map(), seed: 7, training: true, step: 0, dropPath: 0.4, create: null, onDraw: draw }
    const ones = x as tf.Tensor
    return runInPass(pass, () => ({
      dropout: dropout(ones, 0.3),
      path: residual(tf.zerosLike(ones), ones),
      uniform: tf.add(tf.zerosLike(ones), random.uniform('uniform', [16, 5, 3], { low: -2 })),
      normal: tf.add(tf.zerosLike(ones), random.normal('normal', [1, 5, 1])),
    }))
  }
  return valuesAsProgram({ x: tf.ones([16, 5, 3]) }, 16, code, step)
}

/** The shaders draw the bits that the processor draws, and get those that it alone draws. */
export async function masksOfDropout(): Promise<string[]> {
  const wanted = [await masks('simd', 0), await masks('simd', 12_345)]
  const own = [await masks('webgpu', 0), await masks('webgpu', 12_345)]
  return own.flatMap((values, i) => otherBits(values, wanted[i] as Values))
}
