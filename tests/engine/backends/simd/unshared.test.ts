import * as tf from '@tensorflow/tfjs'
import { describe, expect, it, vi } from 'vitest'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import { loadSimd } from '../../../../engine/backends/simd/load.ts'
import { registerSimd } from '../../../../engine/backends/simd/register.ts'
import { mixer } from '../../../../engine/models/index.ts'
import { adamw } from '../../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'
import { train } from '../../../../engine/train/train.ts'
import { collect, toyModel, toyTask } from '../../train/toy.ts'
import { tensor } from './threads.ts'

/** As in a page that is not cross-origin isolated. */
async function withoutSharing<T>(body: () => Promise<T>): Promise<T> {
  vi.stubGlobal('SharedArrayBuffer', undefined)
  try {
    return await body()
  } finally {
    vi.unstubAllGlobals()
  }
}

/** What training and products give on the backend `simd` as it is registered now. */
async function results(): Promise<unknown> {
  await tf.setBackend('simd')
  const model = toyModel(mixer)
  const recipe = resolveRecipe({ steps: 5, batch: 16, optimizer: adamw({ learningRate: 5e-3 }), evalEvery: 5 })
  const events = await collect(train({ model, task: toyTask(), recipe, seed: 1 }))
  model.dispose()
  const weights = events.findLast((event) => event.type === 'checkpoint')?.weights
  expect(weights).toBeDefined()
  const product = tf.tidy(() => {
    const make = (shape: number[], name: string) =>
      tf.engine().makeTensorFromTensorInfo(tensor(tf.backend() as SimdBackend, shape, name))
    return tf.matMul(make([3, 33, 50], 'a'), make([3, 50, 21], 'b')).dataSync()
  })
  return { product, weights }
}

async function forget(): Promise<void> {
  await tf.setBackend('cpu')
  tf.removeBackend('simd')
}

describe('without shared memory', () => {
  it('products and training have the same bits', async () => {
    const alone = await withoutSharing(async () => {
      registerSimd()
      const result = await results()
      expect((tf.backend() as SimdBackend).buffer).toBeInstanceOf(ArrayBuffer)
      return result
    })
    await forget()
    tf.registerBackend('simd', () => loadSimd())
    const shared = await results()
    expect((tf.backend() as SimdBackend).buffer).toBeInstanceOf(SharedArrayBuffer)
    await forget()
    expect(alone).toEqual(shared)
  })

  it('one thread works, whatever is asked for', async () => {
    const spawn = vi.fn()
    const backend = await withoutSharing(() => loadSimd({ threads: 4, spawn }))
    expect(backend.pool.threads).toBe(1)
    expect(spawn).not.toHaveBeenCalled()
    backend.dispose()
  })

  it.each([true, false])('tensors stay readable when the memory grows (strict: %s)', async (strict) => {
    const backend = await withoutSharing(() => loadSimd({ strict }))
    const values = new Float32Array([1, 2, 3, 4, 5])
    const floats = backend.makeTensorInfo([5], 'float32', values)
    const integers = backend.makeTensorInfo([3], 'int32', new Int32Array([7, -8, 9]))
    for (const info of [floats, integers]) backend.address(info)
    const before = backend.buffer
    const { info: large } = backend.output([10_000_000])
    expect(before.byteLength).toBe(0) // detached
    expect([...(backend.data.get(floats.dataId).values as Float32Array)]).toEqual([...values]) // what stock kernels read
    expect(backend.readSync(integers.dataId)).toEqual(new Int32Array([7, -8, 9]))
    const after = backend.buffer
    backend.withScratch(200_000_000, () => {})
    expect(after.byteLength).toBe(0)
    expect(backend.readSync(floats.dataId)).toEqual(values)
    for (const { dataId } of [floats, integers, large]) backend.disposeData(dataId)
    expect(backend.memory().heapBytes).toBe(0)
    backend.dispose()
  })

  it('a tensor made of a view of another does not share its memory', async () => {
    const backend = await withoutSharing(() => loadSimd())
    const x = backend.makeTensorInfo([4], 'float32', new Float32Array([1, 2, 3, 4]))
    const address = backend.address(x)
    const part = (backend.data.get(x.dataId).values as Float32Array).subarray(1, 3)
    const y = backend.makeTensorInfo([2], 'float32', part)
    backend.wasm.fill(address, 4, 0)
    expect(backend.readSync(y.dataId)).toEqual(new Float32Array([2, 3]))
    for (const { dataId } of [x, y]) backend.disposeData(dataId)
    backend.dispose()
  })
})
