import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { tracing } from '../../../engine/trace/backend.ts'
import { rules } from '../../../engine/trace/kernels.ts'
import type { KernelCall } from '../../../engine/trace/recorder.ts'
import { tries } from '../../long.ts'
import { differentiable, draws, type Operation, plain } from './operations.ts'

/** Examples of each operation. */
const EXAMPLES = tries(12)

type Run = () => { shape: number[]; dtype: string }[]
type Kernel = { kernel: string; shapes: (number[] | null)[] }

const describeAll = (results: tf.Tensor | tf.Tensor[]) =>
  [results].flat().map(({ shape, dtype }) => ({ shape, dtype: dtype as string }))

/** What a run gives on the stock backend, and the kernels that it calls. */
async function onCpu(run: Run): Promise<{ results: ReturnType<Run>; kernels: Kernel[] }> {
  let results: ReturnType<Run> = []
  const { kernels } = await tf.profile(() => {
    results = tf.engine().tidy(run as never) as never
  })
  const known = kernels.filter(({ name }) => name in rules)
  return { results, kernels: known.map(({ name, outputShapes }) => ({ kernel: name, shapes: outputShapes })) }
}

async function traced(run: Run): Promise<{ results: ReturnType<Run>; kernels: Kernel[]; calls: KernelCall[] }> {
  return tracing((recorder) => {
    const calls: KernelCall[] = []
    let results: ReturnType<Run> = []
    recorder.record(
      () => {
        results = run()
      },
      (call) => calls.push(call),
    )
    return { results, kernels: calls.map(({ kernel, shapes }) => ({ kernel, shapes })), calls }
  })
}

/** A profile lists a kernel after those inside it, a trace before them. */
const inOrder = (kernels: Kernel[]) => kernels.map((kernel) => JSON.stringify(kernel)).sort()

const seen = new Set<string>()

async function compare(run: Run): Promise<void> {
  const real = await onCpu(run)
  const { results, kernels } = await traced(run)
  expect(results).toEqual(real.results)
  expect(inOrder(kernels)).toEqual(inOrder(real.kernels))
  for (const { kernel } of kernels) seen.add(kernel)
}

/** Makes variables of the floats, sums the results, and takes the gradients. */
function backward(operation: Operation, name: string): ReturnType<Run> {
  const inputs: tf.Variable[] = []
  const draw = draws(name)
  operation({ ...draw, floats: (shape) => tf.tidy(() => keepIn(inputs, tf.variable(draw.floats(shape)))) })
  let next = 0
  const again = draws(name)
  const use = (shape: number[]) => {
    again.floats(shape)
    return inputs[next++] as tf.Variable
  }
  try {
    const results = () => [operation({ ...again, floats: use })].flat()
    const sum = () => tf.addN(results().map((y) => tf.sum(tf.cast(y, 'float32')))) as tf.Scalar
    const { value, grads } = tf.engine().gradients(sum, inputs, undefined, true)
    return describeAll([value, ...grads.filter((gradient) => gradient)])
  } finally {
    tf.dispose(inputs)
  }
}

function keepIn(inputs: tf.Variable[], variable: tf.Variable): tf.Variable {
  inputs.push(variable)
  return variable
}

describe('a traced operation has the shapes, types and kernels of the stock backend', () => {
  it.each(Object.entries(plain))('%s', async (name, operation) => {
    for (let i = 0; i < EXAMPLES; i++) await compare(() => describeAll(operation(draws(`${name}/${i}`))))
  })
  it.each(Object.entries(differentiable))('%s and its gradient', async (name, operation) => {
    for (let i = 0; i < EXAMPLES; i++) await compare(() => backward(operation, `${name}/${i}`))
  })
  it('and no rule is without a comparison', () => {
    expect(Object.keys(rules).filter((kernel) => !seen.has(kernel))).toEqual([])
  })
})
