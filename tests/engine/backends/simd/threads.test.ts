import type { TensorInfo } from '@tensorflow/tfjs'
import { describe, expect, it, vi } from 'vitest'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import { simdKernels } from '../../../../engine/backends/simd/register.ts'
import { tensor, withThreads } from './threads.ts'

/** Shape of an input, and whether it is of whole numbers, from 0 to 4, and not of draws. */
type Input = number[] | { whole: number[] }
type Case = [kernel: string, inputs: Record<string, Input>, attributes?: Record<string, unknown>]

const cases: Case[] = [
  ...products(),
  ...['Add', 'Sub', 'Multiply', 'RealDiv', 'Maximum', 'Minimum', 'SquaredDifference'].map(
    (kernel): Case => [kernel, { a: [37, 53], b: [37, 53] }],
  ),
  ['Add', { a: [37, 53], b: [] }],
  ['Add', { a: [1], b: [37, 53] }],
  ['Sub', { a: [37, 53], b: [53] }],
  ['Sub', { a: [37, 1], b: [37, 53] }],
  ['Sub', { a: [3, 5, 67], b: [3, 1, 67] }], // cut along the second axis too
  ['Sub', { a: [2, 1, 101], b: [1, 3, 101] }], // and along the last
  ['Sub', { a: [2, 1, 3, 1, 40], b: [3, 1, 4, 1] }],
  ['AddN', { x: [41, 7], y: [41, 7], z: [41, 7] }],
  ...[
    'Neg',
    'Square',
    'Sqrt',
    'Rsqrt',
    'Exp',
    'Erf',
    'Tanh',
    'Sigmoid',
    'Relu',
    'Abs',
    'Reciprocal',
    'Step',
    'Sin',
    'Cos',
    'Log',
  ].map((kernel): Case => [kernel, { x: [29, 31] }]),
  ['Gelu', { x: [29, 31] }],
  ['GeluGrad', { dy: [29, 31], x: [29, 31] }],
  ['LayerNorm', { x: [33, 301], weight: [301], bias: [301] }, { eps: 1e-6 }],
  ['LayerNormGrad', { dy: [11, 3, 301], value: [11, 3, 301], scale: [11, 3, 1], weight: [301] }],
  ['CrossEntropy', { logits: [37, 5], labels: { whole: [37] } }],
  ['LabelRank', { logits: [37, 5], labels: { whole: [37] } }],
  ['CrossEntropyGrad', { dy: [37], logits: [37, 5], labels: { whole: [37] }, normaliser: [37] }],
  ...['Sum', 'Mean', 'Max'].flatMap((kernel): Case[] =>
    [
      [[37, 53], [1]],
      [[37, 53], [0]],
      [[2500, 39], [0]], // in blocks of rows
      [
        [5, 37, 53],
        [0, 2],
      ],
      [[3, 7, 101], [1]],
      [
        [3, 7, 101],
        [0, 1, 2],
      ],
    ].map(([shape = [], axes]) => [kernel, { x: shape }, { axis: axes, reductionIndices: axes, keepDims: false }]),
  ),
  ['Softmax', { logits: [37, 53] }, { dim: -1 }],
  ...[
    [2, 0, 1],
    [1, 0, 2],
    [0, 2, 1],
    [2, 1, 0],
  ].map((perm): Case => ['Transpose', { x: [19, 37, 23] }, { perm }]),
  ['Transpose', { x: [75, 101] }, { perm: [1, 0] }],
  ['Slice', { x: [37, 53] }, { begin: [3, 5], size: [29, 41] }],
  ['SplitV', { x: [37, 50] }, { axis: 1, numOrSizeSplits: [21, 29] }],
  ['Unpack', { value: [3, 37, 19] }, { axis: 0 }],
  ['Concat', { x: [37, 21], y: [37, 30] }, { axis: 1 }],
  ['Pack', { x: [37, 21], y: [37, 21] }, { axis: 0 }],
  [
    'PadV2',
    { x: [19, 37] },
    {
      paddings: [
        [1, 2],
        [3, 0],
      ],
      constantValue: 7,
    },
  ],
  ['Tile', { x: [19, 37] }, { reps: [3, 2] }],
  ['Fill', {}, { shape: [19, 37], value: -2.5, dtype: 'float32' }],
  ['ZerosLike', { x: [19, 37] }],
  ['Cast', { x: { whole: [19, 37] } }, { dtype: 'float32' }],
  ['GatherV2', { x: [5, 37], indices: { whole: [43] } }, { axis: 0, batchDims: 0 }],
  ['GatherV2', { x: [37, 5, 3], indices: { whole: [43] } }, { axis: 1, batchDims: 0 }],
  ['OneHot', { indices: { whole: [101] } }, { dtype: 'float32', depth: 5, onValue: 1, offValue: 0 }],
]

function products(): Case[] {
  const shapes: [a: number[], b: number[], transposeA: boolean, transposeB: boolean][] = [
    [[1, 512, 64], [1, 64, 96], false, false],
    [[1, 300, 70], [1, 70, 130], false, true],
    [[1, 1000, 96], [1, 1000, 64], true, false],
    [[1, 7, 96], [1, 96, 64], false, false],
    [[9, 64, 64], [9, 64, 32], false, false],
    [[1, 64, 64], [9, 64, 32], false, false],
    [[2, 200, 50], [2, 50, 60], false, false],
  ]
  return shapes.map(([a, b, transposeA, transposeB]) => ['BatchMatMul', { a, b }, { transposeA, transposeB }])
}

/** The bits of what the kernel gives. */
function bits(backend: SimdBackend, [kernel, shapes, attrs = {}]: Case): Uint32Array[] {
  const inputs = Object.fromEntries(Object.entries(shapes).map(([name, input]) => [name, make(backend, name, input)]))
  const call = simdKernels[kernel]?.({ inputs, attrs: attrs as never, backend })
  if (!call) throw new Error(`${kernel} is left to the stock kernel`)
  const outputs = [call].flat()
  const results = outputs.map(({ dataId }) => new Uint32Array((backend.readSync(dataId) as Float32Array).buffer))
  for (const { dataId } of [...outputs, ...Object.values(inputs)]) backend.disposeData(dataId)
  return results
}

function make(backend: SimdBackend, name: string, input: Input): TensorInfo {
  if (Array.isArray(input)) return tensor(backend, input, name)
  const size = input.whole.reduce((product, length) => product * length, 1)
  return backend.makeTensorInfo(
    input.whole,
    'int32',
    Int32Array.from({ length: size }, (_, i) => (i * i) % 5),
  )
}

describe('threads', () => {
  it('do not change a bit, one, two or three of them, however many parts there are', async () => {
    const all = await Promise.all([1, 2, 3].map(withThreads))
    const [alone, ...others] = all.map(({ backend }) => backend)
    for (const each of cases) {
      const wanted = bits(alone as SimdBackend, each)
      for (const backend of others) {
        for (const parts of [2, 4 * backend.pool.threads, 29]) {
          const shared = vi.spyOn(backend, 'parts').mockReturnValue(parts)
          expect(bits(backend, each), `${JSON.stringify(each)} in ${parts} parts`).toEqual(wanted)
          expect(shared).toHaveBeenCalled()
          shared.mockRestore()
        }
      }
    }
    for (const { backend, ended } of all) {
      backend.dispose()
      await ended
    }
  })

  it('share what is large, and leave small things to one', async () => {
    const { backend, ended } = await withThreads(2)
    const calls = (shape: number[]) => {
      const parts = vi.spyOn(backend, 'parts')
      bits(backend, ['Gelu', { x: shape }])
      const [result] = parts.mock.results.map(({ value }) => value)
      parts.mockRestore()
      return result
    }
    expect(calls([100])).toBe(1)
    expect(calls([1000, 100])).toBe(8)
    backend.dispose()
    await ended
  })

  it('have as much scratch for the parts of a product as there are threads, not parts', async () => {
    const { backend, ended } = await withThreads(2)
    const parts = vi.spyOn(backend, 'parts').mockReturnValue(16)
    const [m, k, n] = [1600, 512, 256] as const
    bits(backend, ['BatchMatMul', { a: [1, k, m], b: [1, k, n] }, { transposeA: true, transposeB: false }])
    parts.mockRestore()
    const tensors = 4 * (k * m + k * n + m * n)
    const room = backend.wasm.matmulScratch(m, k, n)
    expect(backend.memory().heapPeakBytes).toBeLessThan((tensors + 2 * room) * 1.04)
    expect(backend.memory().heapPeakBytes).toBeGreaterThan(tensors + 2 * room)
    backend.dispose()
    await ended
  })

  it('end when the backend is disposed, also those that never had anything to do', async () => {
    const { backend, ended } = await withThreads(3)
    backend.dispose()
    expect(await ended).toEqual(['served', 'served'])
  })
})
