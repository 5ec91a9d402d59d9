import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import type { HeapBlock } from '../../../../engine/backends/simd/freeBlocks.ts'
import type { Heap } from '../../../../engine/backends/simd/heap.ts'
import { simdKernels } from '../../../../engine/backends/simd/register.ts'
import { tries } from '../../../long.ts'
import { onSimd } from './setup.ts'
import { Draws, sameAsStock, withGradients } from './stock.ts'
import { tensor, withThreads } from './threads.ts'

onSimd()

type Four = [number, number, number, number]
type Pad = Parameters<typeof tf.conv2d>[3]

interface Case {
  title: string
  x: Four
  filter: Four
  strides: [number, number]
  pad: Pad
}

const KERNELS = [1, 2, 3, 5, 7]

/** A small convolution; each channel of a depthwise one has `multiplier` outputs. */
function draw(draws: Draws, multiplier = 0): Case {
  const size = () => KERNELS[draws.below(KERNELS.length)] as number
  const height = size()
  const width = draws.below(3) ? height : size()
  const channels = 1 + draws.below(17)
  const explicit: Pad = [
    [0, 0],
    [1, 0],
    [0, 2],
    [0, 0],
  ]
  const pad = (['same', 'valid', explicit, height === width ? height >> 1 : 0] as const)[draws.below(4)] as Pad
  const x: Four = [1 + draws.below(3), 7 + draws.below(9), 7 + draws.below(12), channels]
  const filter: Four = [height, width, channels, multiplier || 1 + draws.below(17)]
  const stride = 1 + draws.below(3)
  const strides: [number, number] = [stride, draws.below(3) ? stride : 1 + draws.below(3)]
  return { title: `[${x}] by [${filter}], strides ${strides}, pad ${pad}`, x, filter, strides, pad }
}

/** Small whole numbers, whose sums of products are exact in any order. */
function values(draws: Draws, shape: number[]): Float32Array {
  return Float32Array.from(draws.integers(shape, 9), (value) => value - 4)
}

describe.each([
  ['conv2d', tf.conv2d, 0],
  ['depthwiseConv2d', tf.depthwiseConv2d, 1],
  ['depthwiseConv2d with two outputs of a channel', tf.depthwiseConv2d, 2],
] as const)('%s', (name, op, multiplier) => {
  it('is that of stock, with its gradients', async () => {
    const draws = new Draws(name)
    for (let i = 0; i < tries(60); i++) {
      const { title, x, filter, strides, pad } = draw(draws, multiplier)
      const [image, weights] = [values(draws, x), values(draws, filter)]
      const f = (a: tf.Tensor, b: tf.Tensor) => op(a as tf.Tensor4D, b as tf.Tensor4D, strides, pad as 'same')
      const inputs = () => [tf.tensor(image, x), tf.tensor(weights, filter)]
      await sameAsStock(title, () => withGradients(f as never, inputs()), 0)
    }
  })

  it('is that of stock where it is dilated', async () => {
    const draws = new Draws(`${name}, dilated`)
    for (let i = 0; i < tries(40); i++) {
      const { title, x, filter, pad } = draw(draws, multiplier)
      const dilations: [number, number] = [1 + draws.below(3), 1 + draws.below(3)]
      const larger: Four = [x[0], x[1] + 12, x[2] + 12, x[3]]
      const [image, weights] = [values(draws, larger), values(draws, filter)]
      const compute = () => {
        const [a, b] = [tf.tensor4d(image, larger), tf.tensor4d(weights, filter)]
        return [op(a, b, 1, pad as 'same', 'NHWC', dilations)]
      }
      await sameAsStock(`${title}, 12 larger, dilations ${dilations}`, compute, 0)
    }
  })
})

describe('conv2d', () => {
  it('of no samples, and with channels first, is that of stock', async () => {
    const draws = new Draws('rare')
    const [x, filter] = [values(draws, [2, 3, 5, 6]), values(draws, [3, 3, 3, 4])]
    const weights = () => tf.tensor4d(filter, [3, 3, 3, 4])
    await sameAsStock('none', () => [tf.conv2d(tf.zeros<tf.Rank.R4>([0, 5, 5, 3]), weights(), 1, 'same')])
    const first = () => [tf.conv2d(tf.tensor4d(x, [2, 3, 5, 6]), weights(), 1, 'same', 'NCHW')]
    await sameAsStock('channels first', first)
  })

  it('has the size of stock where it is rounded up', async () => {
    const draws = new Draws('rounded')
    const [x, filter] = [values(draws, [2, 8, 9, 3]), values(draws, [3, 3, 3, 5])]
    const compute = () => [
      tf.conv2d(tf.tensor4d(x, [2, 8, 9, 3]), tf.tensor4d(filter, [3, 3, 3, 5]), 2, 1, 'NHWC', 1, 'ceil'),
    ]
    await sameAsStock('ceil', compute, 0)
  })

  it('of 3 x 3 with channels in eights, which takes fewer multiplications, is that of stock, with its gradients', async () => {
    const draws = new Draws('tiles')
    for (let i = 0; i < tries(24); i++) {
      const eights = () => 8 * (1 + draws.below(3))
      const own = eights()
      const x: Four = [1 + draws.below(3), 3 + draws.below(9), 3 + draws.below(9), own]
      const filter: Four = [3, 3, own, eights()]
      const pads = [
        'same',
        'valid',
        [
          [0, 0],
          [0, 2],
          [3, 1],
          [0, 0],
        ],
        3,
      ] as const // prettier-ignore
      const pad = pads[draws.below(4)] as Pad
      const [image, weights] = [values(draws, x), values(draws, filter)]
      const f = (a: tf.Tensor, b: tf.Tensor) => tf.conv2d(a as tf.Tensor4D, b as tf.Tensor4D, 1, pad as 'same')
      const inputs = () => [tf.tensor(image, x), tf.tensor(weights, filter)]
      await sameAsStock(`[${x}] by [${filter}], pad ${pad}`, () => withGradients(f as never, inputs()), 0)
    }
  })

  it.each([
    ['blocks of channels', [1, 6, 6, 136], 40],
    ['shares of the tiles', [6, 16, 17, 8], 8],
  ] as const)('of 3 x 3 has the gradient by the filter of stock, in %s', async (title, size, units) => {
    const draws = new Draws(title)
    const [x, filter] = [[...size] as Four, [3, 3, size[3], units] as Four]
    const [image, slope] = [values(draws, x), values(draws, [size[0], size[1], size[2], units])]
    const compute = () => {
      const f = (weights: tf.Tensor) => tf.conv2d(tf.tensor4d(image, x), weights as tf.Tensor4D, 1, 'same')
      return [tf.grad(f)(tf.zeros(filter), tf.tensor(slope, [size[0], size[1], size[2], units]))]
    }
    await sameAsStock(title, compute, 0)
  })

  it('has a gradient by the filter that is accurate over many pixels', async () => {
    await tf.setBackend('simd')
    const draws = new Draws('accurate')
    const [x, dy] = [draws.values([9, 40, 40, 2]), draws.values([9, 40, 40, 1])]
    const found = tf.tidy(() => {
      const f = (filter: tf.Tensor) => tf.conv2d(tf.tensor4d(x, [9, 40, 40, 2]), filter as tf.Tensor4D, 1, 'same')
      return tf
        .grad(f)(tf.zeros([3, 3, 2, 1]), tf.tensor4d(dy, [9, 40, 40, 1]))
        .dataSync()
    })
    let [sum, size] = [0, 0] // of the tap in the middle, for the first channel
    for (const [i, slope] of dy.entries()) {
      const term = (x[2 * i] as number) * slope
      sum += term
      size += Math.abs(term)
    }
    expect(Math.abs((found[8] as number) - sum)).toBeLessThan(1e-7 * size)
  })
})

/** Samples, height and width, channels, outputs, kernel, stride. */
const SIZES = [
  [5, 16, 16, 16, 3, 1],
  [5, 17, 9, 13, 3, 2],
  [1, 32, 3, 16, 5, 1],
  [4, 16, 33, 20, 1, 1],
  [7, 16, 32, 40, 4, 4],
  [2, 9, 70, 70, 7, 1],
  [8, 14, 16, 24, 3, 1],
  [1, 9, 136, 40, 3, 1],
  [431, 2, 13, 304, 1, 2], // the product of 431 rows takes more scratch than that of 504
] as const

/** The bits of both convolutions of these sizes and of their gradients. */
function bitsOf(backend: SimdBackend, sizes: (typeof SIZES)[number]): Uint32Array[] {
  const [batch, size, channels, units, kernel, stride] = sizes
  const outSize = Math.ceil(size / stride)
  const x = tensor(backend, [batch, size, size, channels], 'x')
  return ['Conv2D', 'DepthwiseConv2dNative'].flatMap((kind) => {
    const [per, outputs] = kind === 'Conv2D' ? [units, units] : [1, channels]
    const filter = tensor(backend, [kernel, kernel, channels, per], 'filter')
    const dy = tensor(backend, [batch, outSize, outSize, outputs], 'dy')
    const attrs = { strides: stride, pad: 'same', inputShape: x.shape, filterShape: filter.shape }
    const run = (suffix: string, inputs: Record<string, tf.TensorInfo>) => {
      const info = simdKernels[`${kind}${suffix}`]?.({ inputs, attrs, backend }) as tf.TensorInfo
      const bits = new Uint32Array((backend.readSync(info.dataId) as Float32Array).buffer)
      backend.disposeData(info.dataId)
      return bits
    }
    return [run('', { x, filter }), run('BackpropInput', { dy, filter }), run('BackpropFilter', { x, dy })]
  })
}

describe('convolutions and their gradients', () => {
  it('have the same bits with one, two or three threads', async () => {
    const all = await Promise.all([1, 2, 3].map(withThreads))
    for (const sizes of SIZES) {
      const [one, two, three] = all.map(({ backend }) => bitsOf(backend, sizes))
      expect(two, `${sizes}`).toEqual(one)
      expect(three, `${sizes}`).toEqual(one)
    }
    for (const { backend, ended } of all) {
      backend.dispose()
      await ended
    }
  })

  it('write nothing but their results and their scratch', async () => {
    const { backend } = await withThreads(1)
    const guard = 256
    const heap = Reflect.get(backend, 'heap') as Heap
    const { allocate, release } = heap
    const around = (address: number, bytes: number) =>
      [address - guard, address + bytes].map((from) => new Uint8Array(backend.buffer, from, guard))
    const inside = new Map<HeapBlock, { whole: HeapBlock; bytes: number }>()
    heap.allocate = (bytes) => {
      const whole = allocate(bytes + 2 * guard)
      const block = { ...whole, address: whole.address + guard }
      inside.set(block, { whole, bytes })
      for (const place of around(block.address, bytes)) place.fill(0xab)
      return block
    }
    let checked = 0
    heap.release = (block) => {
      const { whole, bytes } = inside.get(block) as { whole: HeapBlock; bytes: number }
      expect(around(block.address, bytes).every((place) => place.every((byte) => byte === 0xab))).toBe(true)
      release(whole)
      checked++
    }
    for (const sizes of SIZES) bitsOf(backend, sizes)
    expect(checked).toBeGreaterThan(6 * SIZES.length)
    backend.dispose()
  })
})
