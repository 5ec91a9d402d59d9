import * as tf from '@tensorflow/tfjs'
import { afterAll, expect } from 'vitest'
import { useBackend } from '../../../app/backends.ts'
import type { SimdBackend } from '../../../engine/backends/simd/backend.ts'
import { compile } from '../../../engine/compile/compile.ts'
import type { Program } from '../../../engine/compile/program.ts'
import type { Code, Spec } from '../../../engine/compile/record.ts'

/** Starts the backend `simd` anew with so many threads. Tensors on the old one are lost. */
export async function useThreads(threads: number): Promise<SimdBackend> {
  if (tf.findBackendFactory('simd')) tf.removeBackend('simd')
  await useBackend('simd', threads)
  return tf.backend() as SimdBackend
}

/** Leaves the backend when the tests of a file are over. */
export function leaveSimd(): void {
  afterAll(async () => {
    await tf.setBackend('cpu')
    if (tf.findBackendFactory('simd')) tf.removeBackend('simd')
  })
}

/** A program of code on the backend. Fails where the code cannot be recorded. */
export async function programOf(inputs: Record<string, Spec>, batch: number, body: Code): Promise<Program> {
  const program = await compile(tf.backend() as SimdBackend, inputs, batch, body)
  return program instanceof Error ? expect.fail(program.message) : program
}

/** Values of a tensor with its shape and type. */
export interface Values {
  shape: number[]
  dtype: string
  values: Float32Array | Int32Array | Uint8Array
}

/** Reads tensors, and disposes them. */
export function taken(tensors: tf.NamedTensorMap): Record<string, Values> {
  const read = Object.entries(tensors).map(([name, tensor]) => {
    return [name, { shape: tensor.shape, dtype: tensor.dtype, values: tensor.dataSync() }]
  })
  tf.dispose(tensors)
  return Object.fromEntries(read)
}

/** Fails unless all values have the same bits; NaN is NaN. With `signless`, 0 may be -0: see engine/compile/pruneUnusedRows.ts. */
export function expectSameBits(
  found: Record<string, Values>,
  wanted: Record<string, Values>,
  title: string,
  { signless = false } = {},
): void {
  expect(Object.keys(found), title).toEqual(Object.keys(wanted))
  for (const [name, { shape, dtype, values }] of Object.entries(wanted)) {
    const own = found[name] as Values
    expect([own.shape, own.dtype], `${title}: ${name}`).toEqual([shape, dtype])
    const same = (a: number | undefined, b: number) => Object.is(a, b) || (signless && a === b)
    const at = values.findIndex((value, i) => !same(own.values[i], value))
    if (at >= 0) expect.fail(`${title}: element ${at} of ${name} is ${own.values[at]}, not ${values[at]}`)
  }
}

/**
 * A tensor so large that work with it is cut into as many chunks as there are examples. Programs of small models would
 * run in one.
 */
export function ballast(batch: number): tf.Tensor {
  return tf.ones([batch, 132_000])
}

/** What makes use of the ballast: 1. */
export function weigh(ballast: tf.Tensor): tf.Scalar {
  return tf.mean(tf.square(ballast))
}

/** Memory that is in use on the backend. */
export function held(): { tensors: number; values: number; bytes: number } {
  const { numTensors, heapBytes } = tf.memory() as tf.MemoryInfo & { heapBytes: number }
  return { tensors: numTensors, values: tf.backend().numDataIds(), bytes: heapBytes }
}
