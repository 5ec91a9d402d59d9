import * as tf from '@tensorflow/tfjs-core'
import { loadSimd } from '../backends/simd/load.ts'
import { peakOf, planOf } from '../backends/simd/program/plan.ts'
import { recordGraph, type Spec } from '../compile/record.ts'
import { simplify } from '../compile/simplify.ts'
import { softmaxCrossEntropy } from '../nn/losses.ts'
import type { Forward, InputSpec } from '../nn/model.ts'
import { runInPass } from '../nn/scope.ts'
import { tracing } from '../trace/backend.ts'
import { create, oneBlank } from './trace.ts'

/**
 * Most bytes that a training step holds at once on the backend `simd`, as a program on so many threads: batch,
 * activations, gradients, parameters, and the two moments that AdamW has of each. The model is not made. The loss is
 * cross entropy with a label for each row. Throws what `record` throws for code that cannot be recorded.
 */
export async function stepBytes(forward: Forward, spec: InputSpec, batch: number, threads = 1): Promise<number> {
  const { parameters, rows } = await tracing(() => {
    const { parameters, output } = create(forward, oneBlank(spec))
    return { parameters, rows: output.shape.slice(1, -1) }
  })
  const trained = [...parameters.values()].filter((parameter) => parameter.trained)
  const inputs: Record<string, Spec> = {
    [INPUT]: { shape: [batch, ...spec.shape.slice(1)], dtype: spec.dtype ?? 'float32' },
    [TARGET]: { shape: [batch, ...rows], dtype: 'int32' },
  }
  for (const { name, shape } of parameters.values()) inputs[name] = { shape, dtype: 'float32' }

  const graph = await recordGraph(inputs, (given, { backward, draw }) => {
    const instead = Object.fromEntries(
      [...parameters.keys()].map((name) => [name, tf.variable(given[name] as tf.Tensor)]),
    )
    const pass = { seed: 0, step: 0, dropPath: 0, training: true, create: null, parameters }
    const loss = () => {
      const output = runInPass({ ...pass, instead, onDraw: draw }, () => forward(given[INPUT] as tf.Tensor))
      const value = softmaxCrossEntropy(output, given[TARGET] as tf.Tensor)
      backward()
      return value
    }
    const variables = trained.map(({ name }) => instead[name] as tf.Tensor)
    const { value, grads } = tf.engine().gradients(loss, variables)
    return Object.fromEntries([value, ...grads].map((output, i) => [i, output]))
  })
  const simd = await loadSimd()
  try {
    const moments = trained.reduce((sum, { shape }) => sum + 8 * tf.util.sizeFromShape(shape), 0)
    return moments + peakOf(planOf(simplify(graph), batch, simd.wasm, threads), threads)
  } finally {
    simd.dispose()
  }
}

/** No parameter has such a name. */
const [INPUT, TARGET] = ['/input', '/target']
