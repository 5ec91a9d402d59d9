import { availableParallelism, cpus } from 'node:os'
import { Worker } from 'node:worker_threads'
import * as tf from '@tensorflow/tfjs'
import { registerSimd } from '../engine/backends/simd/register.ts'
import type { SpawnThread } from '../engine/backends/simd/threads.ts'
import type { BackendInfo } from '../engine/backends/types.ts'
import { MixlabError, suggest } from '../engine/errors.ts'

/** A thread of the `simd` backend; once it runs, it does not keep the process alive. */
const spawnThread: SpawnThread = (start) =>
  new Promise((ready, fail) => {
    const thread = new Worker(new URL('./simdThread.ts', import.meta.url), { workerData: start })
    thread.once('error', fail).once('online', () => {
      thread.unref()
      ready()
    })
  })

/** What can execute tensors outside of a browser. */
const backends = ['simd', 'webgpu', 'cpu'] as const

/** Makes `name` the backend of this process. Throws MixlabError `backend` for one that does not start here. */
export async function useBackend(name = 'simd', threads = availableParallelism()): Promise<BackendInfo> {
  const found = backends.find((known) => known === name)
  if (!found) {
    const why = name === 'webgl' ? 'needs a browser; use it in the workbench' : 'unknown'
    throw new MixlabError('backend', '--backend', `'${name}' ${why}${suggest(name, backends)}`)
  }
  tf.enableProdMode() // keeps tfjs from advertising another package on stdout
  if (found === 'webgpu') return startCard()
  if (found === 'simd') registerSimd({ threads, spawn: spawnThread })
  if (!(await tf.setBackend(found))) throw new MixlabError('backend', '--backend', `'${found}' does not start here`)
  return { name: found, device: cpus()[0]?.model.trim() ?? 'unknown processor' }
}

/** Loads what WebGPU needs, opens the card, and makes it the backend. */
async function startCard(): Promise<BackendInfo> {
  const [{ registerWebGpu }, { openCard }] = await Promise.all([
    import('../engine/backends/webgpu/register.ts'),
    import('./webgpu.ts'),
  ])
  const card = await openCard()
  registerWebGpu(async () => card)
  if (!(await tf.setBackend('webgpu'))) throw new MixlabError('backend', '--backend', "'webgpu' does not start here")
  return { name: 'webgpu', device: card.name }
}
