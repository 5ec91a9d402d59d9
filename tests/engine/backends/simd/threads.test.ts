import { Worker } from 'node:worker_threads'
import type { TensorInfo } from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import { simdKernels } from '../../../../engine/backends/simd/kernels/index.ts'
import { loadSimd } from '../../../../engine/backends/simd/load.ts'
import type { ThreadStart } from '../../../../engine/backends/simd/threads.ts'
import { keyOf, normal } from '../../../../engine/random.ts'

const thread = new URL('../../../../app/simdThread.ts', import.meta.url)

/** A backend of so many threads, and the promise that all of them have ended. */
async function withThreads(threads: number): Promise<{ backend: SimdBackend; ended: Promise<unknown> }> {
  const ends: Promise<unknown>[] = []
  const spawn = async (start: ThreadStart) => {
    const worker = new Worker(thread, { workerData: start })
    ends.push(new Promise((done, fail) => worker.once('exit', done).once('error', fail)))
  }
  return { backend: await loadSimd({ threads, spawn }), ended: Promise.all(ends) }
}

function tensor(backend: SimdBackend, shape: number[], name: string): TensorInfo {
  const size = shape.reduce((product, length) => product * length, 1)
  const values = Float32Array.from({ length: size }, (_, i) => normal(keyOf(1, name), i))
  return backend.makeTensorInfo(shape, 'float32', values)
}

const products: [a: number[], b: number[], transposeA: boolean, transposeB: boolean][] = [
  [[1, 512, 64], [1, 64, 96], false, false],
  [[1, 300, 70], [1, 70, 130], false, true],
  [[1, 1000, 96], [1, 1000, 64], true, false],
  [[9, 64, 64], [9, 64, 32], false, false],
  [[1, 64, 64], [9, 64, 32], false, false],
  [[2, 200, 50], [2, 50, 60], false, false],
]

describe('threads', () => {
  it('do not change a bit, one, two or three of them', async () => {
    const [alone, two, three] = await Promise.all([1, 2, 3].map(withThreads))
    for (const [shapeA, shapeB, transposeA, transposeB] of products) {
      const results = [alone, two, three].map((each) => {
        const backend = each?.backend as SimdBackend
        const inputs = { a: tensor(backend, shapeA, 'a'), b: tensor(backend, shapeB, 'b') }
        const product = simdKernels.BatchMatMul?.({ inputs, attrs: { transposeA, transposeB }, backend }) as TensorInfo
        return new Uint32Array((backend.readSync(product.dataId) as Float32Array).buffer)
      })
      expect(results[1], `${shapeA} x ${shapeB}`).toEqual(results[0])
      expect(results[2], `${shapeA} x ${shapeB}`).toEqual(results[0])
    }
    for (const [rows, dim] of [
      [1000, 96],
      [333, 301],
    ] as const) {
      const results = [alone, two, three].map((each) => {
        const backend = each?.backend as SimdBackend
        const [x, dy] = ['x', 'dy'].map((name) => tensor(backend, [rows, dim], name)) as [TensorInfo, TensorInfo]
        const run = (kernel: string, inputs: Record<string, TensorInfo>) =>
          [simdKernels[kernel]?.({ inputs, attrs: { eps: 1e-6 }, backend }) ?? []].flat()
        const [value, scale] = run('Normalize', { x }) as [TensorInfo, TensorInfo]
        const grad = run('NormalizeGrad', { dy, value, scale })
        const all = [value, scale, ...grad, ...run('Gelu', { x }), ...run('GeluGrad', { dy, x })]
        return all.map(({ dataId }) => new Uint32Array((backend.readSync(dataId) as Float32Array).buffer))
      })
      expect(results[1], `${rows} x ${dim}`).toEqual(results[0])
      expect(results[2], `${rows} x ${dim}`).toEqual(results[0])
    }
    for (const each of [alone, two, three]) {
      each?.backend.dispose()
      await each?.ended
    }
  })

  it('end when the backend is disposed, also those that never had anything to do', async () => {
    const { backend, ended } = await withThreads(3)
    backend.dispose()
    expect(await ended).toEqual([0, 0])
  })
})
