import * as tf from '@tensorflow/tfjs'
import { registerSimd } from '../../engine/backends/simd/register.ts'
import type { SpawnThread } from '../../engine/backends/simd/threads.ts'
import type { BackendInfo, BackendName } from '../../engine/backends/types.ts'
import { registerWebGl } from '../../engine/backends/webgl/register.ts'
import { MixlabError, messageOf } from '../../engine/errors.ts'
import type { BackendReport } from '../protocol/kernel.ts'
import { openCard } from './card.ts'
import { pickBackend } from './choose.ts'
import { probe, probeCards } from './probe.ts'

const { Worker } = globalThis // cells have none, see forbiddenGlobals.ts

/** A thread of the `simd` backend; it ends with the kernel. */
const spawnThread: SpawnThread = (start) =>
  new Promise((ready, fail) => {
    const thread = new Worker(new URL('./kernel-thread.ts', import.meta.url), { type: 'module' })
    thread.onmessage = () => ready()
    thread.onerror = () => fail(new MixlabError('backend', 'simd', 'a thread does not start'))
    thread.postMessage(start)
  })

/** Finds the backends of this machine and starts the wanted one, or the processor. Throws MixlabError `backend`. */
export async function startBackend(wanted: BackendName | null): Promise<BackendReport> {
  const options = await probe()
  const chosen = pickBackend(options, wanted)
  await makeCurrent(chosen)
  return { chosen, options, cards: await probeCards() }
}

/** Makes a backend the current one, which is loaded when it is first. Throws MixlabError `backend`. */
export async function makeCurrent(backend: BackendInfo): Promise<void> {
  if (backend.name === 'simd') registerSimd({ threads: navigator.hardwareConcurrency, spawn: spawnThread })
  if (backend.name === 'webgl') registerWebGl()
  if (backend.name === 'webgpu' && !cardKnown) {
    cardKnown = true
    const { registerWebGpu } = await import('../../engine/backends/webgpu/register.ts')
    registerWebGpu(openCard)
  }
  await setBackend(backend)
}

let cardKnown = false

/** Starts the CPU backend with so many threads. Throws MixlabError `backend`. */
export async function startSimd(threads: number): Promise<void> {
  registerSimd({ threads, spawn: spawnThread })
  await setBackend({ name: 'simd', device: 'the processor' })
}

async function setBackend({ name, device }: BackendInfo): Promise<void> {
  const started = await tf.setBackend(name).catch((error) => {
    throw new MixlabError('backend', '', `${name} does not start: ${messageOf(error)}`)
  })
  if (!started) throw new MixlabError('backend', '', `${name} does not start on ${device}`)
  await tf.ready()
}
