import * as tf from '@tensorflow/tfjs-core'
import { createModel, type Forward, type InputSpec, type Model } from '../nn/model.ts'
import type { Diagram, DiagramOperation } from './diagram.ts'
import type { DiagramNode } from './node.ts'

/** How long parts of a forward pass take. */
export interface Times {
  /** How they were measured, in words. */
  how: string
  /** Of operations from a number on and before another one, median milliseconds. */
  spans: Span[]
}

interface Span {
  from: number
  to: number
  ms: number
}

/** Backends that are through with an operation when its call returns. */
const SYNCHRONOUS = ['simd', 'cpu']

const [ROUNDS, UNTIMED] = [7, 2]

/**
 * Measures the forward pass of a model for a batch on the current backend, run operation by operation: each operation on
 * the processor; on a graphics card, which is not through when a call returns, each block, by passes that end after it.
 * Makes the model, from random values, and disposes it. `rest` lets other work go on between passes.
 */
export async function measureTimes(
  forward: Forward,
  spec: InputSpec,
  diagram: Pick<Diagram, 'operations' | 'blockEnds'>,
  batch: number,
  rest: () => Promise<void>,
): Promise<Times> {
  const backend = tf.getBackend()
  const model = createModel(forward, spec, 0)
  const input = tf.zeros([batch, ...spec.shape.slice(1)], spec.dtype ?? 'float32')
  const examples = `a batch of ${batch} on ${backend}, run operation by operation, median of ${ROUNDS - UNTIMED} passes`
  try {
    if (SYNCHRONOUS.includes(backend)) {
      const spans = await timeOperations(model, input, diagram.operations, rest)
      if (spans) return { how: `Forward pass of ${examples}; a program of all of it is faster.`, spans }
    }
    const spans = await timeBlocks(model, input, diagram, rest)
    return {
      how: `Forward pass of ${examples}; each block with what is before it, by passes that end after it.`,
      spans,
    }
  } finally {
    input.dispose()
    model.dispose()
  }
}

/** Milliseconds of a part; null where it is smaller than what was measured. */
export function timeOf({ from, to }: Pick<DiagramNode, 'from' | 'to'>, { spans }: Times): number | null {
  const own = spans.filter((span) => span.from >= from && span.to <= to)
  return own.length > 0 ? own.reduce((sum, { ms }) => sum + ms, 0) : null
}

/** Each operation by itself; null where the backend has other kernels than the recording. */
async function timeOperations(
  model: Model,
  input: tf.Tensor,
  operations: readonly DiagramOperation[],
  rest: () => Promise<void>,
): Promise<Span[] | null> {
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const calls = withTimedKernels(() => tf.tidy(() => void model.apply(input)))
    const same = calls.length === operations.length && calls.every(({ kernel }, i) => kernel === operations[i]?.kernel)
    if (!same) return null
    if (round >= UNTIMED) rounds.push(calls.map(({ ms }) => ms))
    await rest()
  }
  return operations.map((_, i) => ({ from: i, to: i + 1, ms: median(rounds.map((round) => round[i] as number)) }))
}

/** Runs `body` and times each kernel of the current backend that is called, in order; those that others call count there. */
function withTimedKernels(body: () => void): { kernel: string; ms: number }[] {
  const calls: { kernel: string; ms: number }[] = []
  const backend = tf.getBackend()
  const kernels = tf.getKernelsForBackend(backend)
  let isInside = false
  const replace = (config: tf.KernelConfig) => {
    tf.unregisterKernel(config.kernelName, backend)
    tf.registerKernel(config)
  }
  for (const config of kernels) {
    replace({
      ...config,
      kernelFunc: (given) => {
        if (isInside) return config.kernelFunc(given)
        isInside = true
        const begun = performance.now()
        try {
          return config.kernelFunc(given)
        } finally {
          isInside = false
          calls.push({ kernel: config.kernelName, ms: performance.now() - begun })
        }
      },
    })
  }
  try {
    body()
  } finally {
    kernels.forEach(replace)
  }
  return calls
}

/** Ends a pass after a block, with what that gave. */
class Ended extends Error {
  readonly output: tf.Tensor

  constructor(output: tf.Tensor) {
    super('ended after a block')
    this.output = output
  }
}

/** What comes before the blocks and the first of them, each block, and what comes after them. */
async function timeBlocks(
  model: Model,
  input: tf.Tensor,
  { operations, blockEnds }: Pick<Diagram, 'operations' | 'blockEnds'>,
  rest: () => Promise<void>,
): Promise<Span[]> {
  const medians: number[] = []
  for (let last = 0; last <= blockEnds.length; last++) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const begun = performance.now()
      const output = tf.tidy(() => passUntil(model, input, last < blockEnds.length ? last : null))
      await output.data()
      output.dispose()
      if (round >= UNTIMED) times.push(performance.now() - begun)
      await rest()
    }
    medians.push(median(times))
  }
  return [...blockEnds, operations.length].map((to, i) => {
    const before = medians[i - 1] ?? 0
    return { from: blockEnds[i - 1] ?? 0, to, ms: Math.max(0, (medians[i] as number) - before) }
  })
}

/** What a model gives, or its block of number `last`. */
function passUntil(model: Model, input: tf.Tensor, last: number | null): tf.Tensor {
  try {
    return model.apply(input, {
      onBlock: (i, _, y) => {
        if (i === last) throw new Ended(y)
      },
    })
  } catch (error) {
    if (error instanceof Ended) return error.output
    throw error
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}
