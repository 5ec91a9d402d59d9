import { availableParallelism, cpus } from 'node:os'
import { Worker } from 'node:worker_threads'
import * as tf from '@tensorflow/tfjs'
import { registerSimd } from '../engine/backends/simd/register.ts'
import type { SpawnThread } from '../engine/backends/simd/threads.ts'
import { isSoftware } from '../engine/backends/software.ts'
import type { BackendInfo } from '../engine/backends/types.ts'
import { DEVICE_LOST_REASON, isDeviceLost } from '../engine/backends/webgpu/deviceLost.ts'
import type { GpuDevice } from '../engine/backends/webgpu/gpu.ts'
import { MixlabError, messageOf, suggest } from '../engine/errors.ts'
import type { Candidate } from '../engine/study/backends/fastest.ts'

/**
 * Threads of the `simd` backend, which do not keep the process alive. The threads of an earlier memory serve the next
 * one, after the work that they are at: the process of cells can start no new threads (confine.ts).
 */
function keptThreads(): SpawnThread {
  const threads: Promise<Worker>[] = []
  const given = new WeakMap<WebAssembly.Memory, number>()
  return async (start) => {
    const place = given.get(start.memory) ?? 0
    given.set(start.memory, place + 1)
    threads[place] ??= startThread()
    const thread = await threads[place]
    thread.postMessage(start)
  }
}

function startThread(): Promise<Worker> {
  return new Promise((ready, fail) => {
    const thread = new Worker(new URL('./simdThread.ts', import.meta.url))
    thread.once('error', fail).once('message', () => {
      thread.unref()
      ready(thread)
    })
  })
}

/** What can execute tensors outside of a browser. */
const backends = ['simd', 'webgpu', 'cpu'] as const

/** Makes `name` the backend of this process. Throws MixlabError `backend` for one that does not start here. */
export async function useBackend(name = 'simd', threads = availableParallelism()): Promise<BackendInfo> {
  const found = backends.find((known) => known === name)
  if (!found) {
    const why = name === 'webgl' ? 'needs a browser; use it in the workbench' : 'unknown'
    throw new MixlabError('backend', '--backend', `'${name}' ${why}${suggest(name, backends)}`)
  }
  return found === 'webgpu' ? startCard() : startProcessor(found, threads)
}

async function startProcessor(name: 'simd' | 'cpu', threads: number): Promise<BackendInfo> {
  tf.enableProdMode() // keeps tfjs from advertising another package on stdout
  if (name === 'simd') registerSimd({ threads, spawn: keptThreads() })
  if (!(await tf.setBackend(name))) throw new MixlabError('backend', '--backend', `'${name}' does not start here`)
  return { name, device: cpus()[0]?.model.trim() ?? 'unknown processor' }
}

/**
 * The backends that a study may be trained on where the user chose none: the processor, which is the current backend
 * afterwards, and the graphics card. Where this machine has no card, Dawn is not loaded, since it prints warnings to
 * the terminal. `cardNote` says why a card is not among them.
 */
export async function candidatesHere(threads: number, mayHaveCard: boolean): Promise<Candidate[]> {
  const none = (error: unknown) => {
    if (chosenCard !== null) throw error
    cardNote = unused(messageOf(error).replace(/^--backend: /, ''))
    return null
  }
  let card = mayHaveCard ? await startCard().catch(none) : null
  if (card && chosenCard === null && isSoftware(card.device)) {
    cardNote = unused(`the only one, '${card.device}', is emulated on the processor`)
    card = null
  }
  const processor = await startProcessor('simd', threads)
  const usable = card ? [card, processor] : [processor]
  return usable.map((info) => ({ ...info, start: async () => void (await tf.setBackend(info.name)) }))
}

/** A part of the name of the card that the user chose; null for the faster one. */
let chosenCard: string | null = null

/** Has the card used that has this in its name. */
export function chooseCard(name: string | null): void {
  chosenCard = name
}

/** What the card refused that was opened last, or why none is used, in a sentence; '' where there is nothing to say. */
export let cardNote = ''

const unused = (why: string) => `no graphics card is used: ${why}`

/** Why the graphics card of this process is gone; null while it is there. How often one was. */
let loss: string | null = null
let losses = 0

/** The card of this process, once it has been opened. */
let device: GpuDevice | null = null

/** Why the current backend cannot be trusted any more, as `StudyEnvironment.lost`; null while it can. */
export async function lossOf(failure: string | null): Promise<string | null> {
  if (tf.getBackend() !== 'webgpu') return null
  await new Promise((resolve) => setTimeout(resolve)) // the loss of a device arrives as an event
  if (loss !== null || failure === null) return loss
  if (/out of memory/i.test(failure)) return failure
  return device && (await isDeviceLost(device)) ? DEVICE_LOST_REASON : null
}

/** What WebGPU needs, once it has been loaded: nothing can be any more where cells run (confine.ts). */
let loaded: Promise<[typeof import('../engine/backends/webgpu/register.ts'), typeof import('./webgpu.ts')]> | null =
  null

/** Loads what WebGPU needs, opens the card, and makes it the backend. */
async function startCard(): Promise<BackendInfo> {
  loaded ??= Promise.all([import('../engine/backends/webgpu/register.ts'), import('./webgpu.ts')])
  const [{ registerWebGpu }, { openCard }] = await loaded
  tf.enableProdMode()
  if (device && (await isDeviceLost(device))) losses += 1
  const card = { ...(await openCard([], chosenCard)), losses }
  loss = null
  cardNote = card.refused ?? ''
  device = card.device
  void device.lost.then(({ message }) => {
    loss = message || DEVICE_LOST_REASON
  })
  registerWebGpu(async () => card)
  if (!(await tf.setBackend('webgpu'))) throw new MixlabError('backend', '--backend', "'webgpu' does not start here")
  return { name: 'webgpu', device: card.name }
}
