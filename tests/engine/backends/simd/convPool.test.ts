import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import { simdKernels } from '../../../../engine/backends/simd/register.ts'
import { tries } from '../../../long.ts'
import { onSimd } from './setup.ts'
import { Draws, sameAsStock, withGradients } from './stock.ts'
import { tensor, withThreads } from './threads.ts'

onSimd()

type Four = [number, number, number, number]
type Pad = Parameters<typeof tf.maxPool>[3]

/** A small pooling, its windows never outside of the image. */
function draw(draws: Draws) {
  const size: [number, number] = [2 + draws.below(3), 2 + draws.below(3)]
  const strides: [number, number] = [1 + draws.below(4), 1 + draws.below(4)]
  const explicit: Pad = [
    [0, 0],
    [1, 0],
    [0, 1],
    [0, 0],
  ]
  const pad = (['same', 'valid', explicit, 1] as const)[draws.below(4)] as Pad
  const x: Four = [1 + draws.below(3), 4 + draws.below(7), 4 + draws.below(7), 1 + draws.below(9)]
  return { title: `[${x}] by ${size}, strides ${strides}, pad ${pad}`, x, size, strides, pad }
}

describe.each([
  ['avgPool', tf.avgPool],
  ['maxPool', tf.maxPool],
] as const)('%s', (name, op) => {
  it('is that of stock to the bit', async () => {
    const draws = new Draws(name)
    for (let i = 0; i < tries(80); i++) {
      const { title, x, size, strides, pad } = draw(draws)
      // of small whole numbers many windows have their largest more than once
      const values = i % 2 ? draws.values(x, i % 3 === 0) : Float32Array.from(draws.integers(x, 4))
      const compute = () => [op(tf.tensor4d(values, x), size, strides, pad)]
      await sameAsStock(title, compute, 0)
    }
  })
})

it('the gradient of maxPool is that of stock to the bit, also where a window has its largest twice', async () => {
  const draws = new Draws('gradients')
  for (let i = 0; i < tries(60); i++) {
    const { title, x, size, strides, pad } = draw(draws)
    const values = i % 2 ? draws.values(x) : Float32Array.from(draws.integers(x, 4))
    const run = (a: tf.Tensor) => tf.maxPool(a as tf.Tensor4D, size, strides, pad)
    await sameAsStock(title, () => withGradients(run as never, [tf.tensor4d(values, x)]), 0)
  }
})

/** The bits of both, and of the gradient, of an image that several threads share. */
function bitsOf(backend: SimdBackend): Uint32Array[] {
  const x = tensor(backend, [5, 31, 30, 18], 'x')
  const attrs = { filterSize: [3, 3], strides: [1, 1], pad: 1 }
  return ['AvgPool', 'MaxPool', 'MaxPoolGrad'].map((kernel) => {
    const inputs = kernel === 'MaxPoolGrad' ? { dy: x, input: x, output: x } : { x }
    const info = simdKernels[kernel]?.({ inputs, attrs, backend }) as tf.TensorInfo
    return new Uint32Array((backend.readSync(info.dataId) as Float32Array).slice().buffer)
  })
}

it('has the same bits with any number of threads', async () => {
  const [one, two, three] = await Promise.all([1, 2, 3].map(withThreads))
  const wanted = bitsOf(one?.backend as SimdBackend)
  expect(bitsOf(two?.backend as SimdBackend)).toEqual(wanted)
  expect(bitsOf(three?.backend as SimdBackend)).toEqual(wanted)
  for (const { backend, ended } of [one, two, three] as NonNullable<typeof one>[]) {
    backend.dispose()
    await ended
  }
})
