import * as tf from '@tensorflow/tfjs'
import { expect } from 'vitest'
import { integer, type Key, keyOf, normal } from '../../../../engine/random.ts'

/** What a kernel has to treat like any other value. */
const SPECIAL = [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e30, -1e30, 1e-40, 88.5, -103]

/** A reproducible source of shapes and values. */
export class Draws {
  private readonly key: Key
  private counter = 0

  constructor(name: string) {
    this.key = keyOf(1, name)
  }

  below(limit: number): number {
    return integer(this.key, this.counter++, limit)
  }

  /** Axes of 0 to 9, seldom 0, often 1. */
  shape(rank: number): number[] {
    return Array.from({ length: rank }, () => (this.below(4) === 0 ? 1 : this.below(12) === 0 ? 0 : 1 + this.below(9)))
  }

  /** Values around 0, up to some hundred; with `wild` also NaN, infinities and the like. */
  values(shape: number[], wild = false): Float32Array {
    const scale = [0.1, 1, 1, 30][this.below(4)] as number
    return Float32Array.from({ length: tf.util.sizeFromShape(shape) }, () =>
      wild && this.below(9) === 0
        ? (SPECIAL[this.below(SPECIAL.length)] as number)
        : scale * normal(this.key, this.counter++),
    )
  }

  integers(shape: number[], limit: number): Int32Array {
    return Int32Array.from({ length: tf.util.sizeFromShape(shape) }, () => this.below(limit))
  }

  permutation(size: number): number[] {
    const order: number[] = []
    for (let i = 0; i < size; i++) order.splice(this.below(i + 1), 0, i)
    return order
  }
}

interface Result {
  shape: number[]
  dtype: string
  values: ArrayLike<number>
}

/** What `compute` gives on the backend `name`. */
async function resultsOn(name: string, compute: () => tf.Tensor[]): Promise<Result[]> {
  await tf.setBackend(name)
  return tf.tidy(() => compute().map((tensor) => ({ ...pick(tensor), values: tensor.dataSync() })))
}

function pick({ shape, dtype }: tf.Tensor): { shape: number[]; dtype: string } {
  return { shape, dtype }
}

/** `compute` makes its own inputs; its results on `simd` and on the stock CPU backend have to agree. */
export async function sameAsStock(title: string, compute: () => tf.Tensor[], tolerance = 1e-6): Promise<void> {
  const wanted = await resultsOn('cpu', compute)
  const found = await resultsOn('simd', compute)
  expect(found.map(pickResult), title).toEqual(wanted.map(pickResult))
  for (const [i, { values }] of found.entries()) {
    const target = wanted[i]?.values ?? []
    for (let j = 0; j < values.length; j++) {
      const [value, stock] = [values[j] as number, target[j] as number]
      if (Object.is(value, stock) || value === stock) continue
      const error = Math.abs(value - stock)
      if (!(error <= tolerance * Math.max(1, Math.abs(stock)))) {
        expect.fail(`${title}: result ${i}, element ${j} is ${value}, not ${stock}`)
      }
    }
  }
}

function pickResult({ shape, dtype, values }: Result): unknown {
  return { shape, dtype, length: values.length }
}

/** The result of `f` and its gradients by each of the inputs, weighted by a fixed pattern. */
export function withGradients(f: (...inputs: tf.Tensor[]) => tf.Tensor, inputs: tf.Tensor[]): tf.Tensor[] {
  const value = f(...inputs)
  const pattern = Float32Array.from({ length: value.size }, (_, i) => ((i * 7) % 5) - 1.5)
  const gradients = tf.grads(f)(inputs, tf.tensor(pattern, value.shape))
  return [value, ...gradients]
}
