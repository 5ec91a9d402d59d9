import * as tf from '@tensorflow/tfjs-core'
import { recordGraph } from '../../compile/record.ts'
import { digest, digestOfValues } from '../../data/digest.ts'
import type { Forward, InputSpec } from '../../nn/model.ts'
import { type Parameter, type Pass, runInPass } from '../../nn/scope.ts'

/** So many first values of parameters were drawn at most. */
const MAX_DRAWN = 2 ** 21

/**
 * What stood for the code of a model in keys until `digest` took its place there (../design/codeDigest.ts). It misses
 * initial values beyond the first 2^21, gradients, and whatever a text model is given beside its input.
 */
export async function legacyDigest(forward: Forward, { shape, dtype = 'float32' }: InputSpec): Promise<string | null> {
  const parameters = new Map<string, Parameter>()
  const first: [name: string, shape: number[], values: string][] = []
  let drawn = 0
  const create: Pass['create'] = (name, shape, fill) => {
    drawn += tf.util.sizeFromShape(shape)
    first.push([name, shape, drawn > MAX_DRAWN ? '' : digestOfValues(fill())])
    return tf.variable(tf.fill(shape, 0))
  }
  try {
    const graph = await recordGraph({ input: { shape: [1, ...shape.slice(1)], dtype } }, ({ input }, { draw }) => {
      const pass = { parameters, seed: 0, step: 0, dropPath: 0, onDraw: draw }
      const run = (own: Pick<Pass, 'training' | 'create'>) =>
        runInPass({ ...pass, ...own }, () => forward(input as tf.Tensor))
      return { training: run({ training: true, create }), evaluation: run({ training: false, create: null }) }
    })
    const { operations, outputs, constants, draws } = graph
    return digest(
      JSON.stringify([
        first,
        operations,
        outputs,
        constants.map(({ use, values }) => [use, digestOfValues(values)]),
        draws.map(({ use, values }) => [use, digestOfValues(values(0))]),
      ]),
    )
  } catch {
    return null
  }
}
