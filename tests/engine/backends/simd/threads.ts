import { Worker } from 'node:worker_threads'
import type { TensorInfo } from '@tensorflow/tfjs'
import type { SimdBackend } from '../../../../engine/backends/simd/backend.ts'
import { loadSimd } from '../../../../engine/backends/simd/load.ts'
import type { ThreadStart } from '../../../../engine/backends/simd/threads.ts'
import { keyOf, normal } from '../../../../engine/random.ts'

const thread = new URL('../../../../app/simdThread.ts', import.meta.url)

/** A backend of so many threads, and the promise that all of them have served it. */
export async function withThreads(threads: number): Promise<{ backend: SimdBackend; ended: Promise<unknown> }> {
  const ends: Promise<unknown>[] = []
  const spawn = async (start: ThreadStart) => {
    const worker = new Worker(thread)
    worker.postMessage(start)
    const served = new Promise((done, fail) => {
      worker.on('message', (said) => said === 'served' && done(said)).once('error', fail)
    })
    ends.push(served.finally(() => worker.terminate()))
  }
  return { backend: await loadSimd({ threads, spawn }), ended: Promise.all(ends) }
}

/** A tensor of draws that `name` stands for. */
export function tensor(backend: SimdBackend, shape: number[], name: string): TensorInfo {
  const size = shape.reduce((product, length) => product * length, 1)
  const values = Float32Array.from({ length: size }, (_, i) => normal(keyOf(1, name), i))
  return backend.makeTensorInfo(shape, 'float32', values)
}
