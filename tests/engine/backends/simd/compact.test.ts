import * as tf from '@tensorflow/tfjs'
import type { TensorInfo } from '@tensorflow/tfjs-core'
import { describe, expect, it, vi } from 'vitest'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import { loadSimd } from '../../../../engine/backends/simd/load.ts'
import { simdKernels } from '../../../../engine/backends/simd/register.ts'
import { compact } from '../../../../engine/compile/program.ts'
import { gmlp } from '../../../../engine/models/index.ts'
import type { Batch } from '../../../../engine/tasks/types.ts'
import { differentiator } from '../../../../engine/train/differentiate.ts'
import { predict } from '../../../../engine/train/evaluate.ts'
import { leaveSimd, useThreads } from '../../compile/setup.ts'
import { toyModel, toyTask } from '../../train/toy.ts'
import { tensor, withThreads } from './threads.ts'

leaveSimd()

const MIB = 2 ** 20

/** Takes and releases so many MiB. */
function need(backend: SimdBackend, mib: number): void {
  backend.withScratch(mib * MIB, () => {})
}

/** What a run leaves that needed so much, seen by the next one. */
async function afterRun(backend: SimdBackend, mib: number): Promise<number> {
  need(backend, mib)
  await backend.compact()
  return backend.memory().heapSizeBytes / MIB
}

describe('between runs', () => {
  it('a memory is kept for as long as runs need half of it, or where it is small', async () => {
    const backend = await loadSimd()
    expect(await afterRun(backend, 512)).toBeGreaterThan(512)
    const { buffer } = backend
    expect(await afterRun(backend, 260)).toBeGreaterThan(512)
    expect(backend.buffer).toBe(buffer)
    expect(await afterRun(backend, 100)).toBe(1)
    expect(await afterRun(backend, 100)).toBeLessThan(120)
    expect(await afterRun(backend, 1)).toBeGreaterThan(100)
    backend.dispose()
  })

  it.each([1, 3])('tensors move with their values, and kernels go on, with %i threads', async (threads) => {
    const { backend, ended } = await withThreads(threads)
    const floats = tensor(backend, [300, 200], 'floats')
    const other = tensor(backend, [200, 300], 'other')
    const outside = tensor(backend, [7], 'outside') // not in the heap yet
    const integers = backend.makeTensorInfo([3], 'int32', new Int32Array([7, -8, 9]))
    for (const info of [floats, other, integers]) backend.address(info)
    const infos = [floats, other, outside, integers]
    const read = (info: TensorInfo) => backend.readSync(info.dataId)
    const product = () => {
      const attrs = { transposeA: false, transposeB: false }
      const out = simdKernels.BatchMatMul?.({ inputs: { a: floats, b: other }, attrs, backend }) as TensorInfo
      const values = read(out)
      backend.disposeData(out.dataId)
      return values
    }
    const [values, wanted] = [infos.map(read), product()]
    await afterRun(backend, 300)
    const old = backend.buffer
    await afterRun(backend, 1)
    expect(backend.buffer).not.toBe(old)
    expect(backend.buffer.byteLength).toBeLessThan(3 * MIB)
    expect(infos.map(read)).toEqual(values)
    expect((backend.data.get(floats.dataId).values as Float32Array).buffer).toBe(backend.buffer)
    expect(product()).toEqual(wanted)
    for (const { dataId } of infos) backend.disposeData(dataId)
    expect(backend.memory().heapBytes).toBe(0)
    backend.dispose()
    await ended // the threads of the old memory, too
  })

  it('they move together before the first program, and not while there is one', async () => {
    const backend = await loadSimd()
    const infos = Array.from({ length: 6 }, (_, i) => tensor(backend, [100_000 * (i + 1)], `together/${i}`))
    const values = infos.map(({ dataId }) => backend.readSync(dataId))
    for (const info of infos) backend.address(info)
    const drop = (...dropped: number[]) => {
      for (const i of dropped) backend.disposeData((infos[i] as TensorInfo).dataId)
    }
    const nothing = { values: 0, operations: [], backward: 0, inputs: {}, constants: [], draws: [], outputs: {} }
    const parts = () => backend.taken().length // what the pool has, and the tensors with what programs have behind them

    drop(0, 2)
    expect(parts()).toBe(3) // a gap between tensors
    const program = backend.createProgram(nothing, 1)
    expect(parts()).toBe(2)
    drop(4)
    expect(parts()).toBe(3)
    const other = backend.createProgram(nothing, 1)
    expect(parts()).toBe(3)
    for (const i of [1, 3, 5]) expect(backend.readSync((infos[i] as TensorInfo).dataId)).toEqual(values[i])
    program.dispose()
    other.dispose()
    drop(1, 3, 5)
    expect(backend.memory().heapBytes).toBe(0)
    backend.dispose()
  })

  it('the same without shared memory', async () => {
    vi.stubGlobal('SharedArrayBuffer', undefined)
    try {
      const backend = await loadSimd()
      const kept = [1, 2, 3].map((i) => tensor(backend, [100_000 * i], `${i}`))
      const values = kept.map(({ dataId }) => backend.readSync(dataId))
      for (const info of kept) backend.address(info)
      need(backend, 300)
      await backend.compact()
      await backend.compact()
      expect(backend.memory().heapSizeBytes).toBeLessThan(8 * MIB)
      expect(kept.map(({ dataId }) => backend.readSync(dataId))).toEqual(values)
      backend.dispose()
    } finally {
      vi.unstubAllGlobals()
    }
  })

  it('nothing moves while there is a program, nor where no other memory is to be had', async () => {
    const backend = await useThreads(1)
    const model = toyModel(gmlp())
    const task = toyTask()
    const differences = differentiator(model, (batch, mode) =>
      task.loss(predict(task, model, batch as Batch, mode), batch as Batch),
    )
    const batches = task.trainBatches(8, 1, 0, {} as never)
    const batch = (await batches.next()).value as Batch
    const gradients = async () => {
      const { loss, gradients } = await differences.run(batch, 0)
      const values = Object.values(gradients).map((gradient) => gradient.dataSync())
      tf.dispose([loss, gradients])
      return values
    }
    need(backend, 300)
    const wanted = await gradients()
    const { buffer } = backend
    for (let i = 0; i < 2; i++) await compact()
    expect(backend.buffer).toBe(buffer)
    expect(await gradients()).toEqual(wanted)

    differences.dispose()
    const Memory = vi.spyOn(WebAssembly, 'Memory').mockImplementation(function none() {
      throw new RangeError('no memory')
    })
    for (let i = 0; i < 2; i++) await compact()
    Memory.mockRestore()
    expect(backend.buffer).toBe(buffer)
    await afterRun(backend, 1)
    expect(backend.buffer).not.toBe(buffer)
    expect(await gradients()).toEqual(wanted)
    differences.dispose()
    model.dispose()
    tf.dispose(batch)
    await batches.return(undefined)
  })
})
