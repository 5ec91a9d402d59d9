import * as tf from '@tensorflow/tfjs'
import { afterAll } from 'vitest'
import { openCard } from '../../../../app/webgpu.ts'
import type { WebGpuBackend } from '../../../../engine/backends/webgpu/backend.ts'
import { registerWebGpu } from '../../../../engine/backends/webgpu/register.ts'
import { countingDevice, type GpuUsage } from '../../../../engine/bench/countingDevice.ts'
import { messageOf } from '../../../../engine/errors.ts'

/** A card that checks every shader, binding and command, and computes nothing; else why there is none. */
export const nullCard = await openCard(['backend=null']).catch((error: unknown) => messageOf(error))

/** Why tests that need such a card are skipped; empty where they are not. */
export const noCard = typeof nullCard === 'string' ? `skipped: ${nullCard}` : ''

/** Makes the null card the backend until the tests of a file are over, and counts what it is asked for. */
export async function useNullCard(): Promise<{ backend: WebGpuBackend; asked: GpuUsage }> {
  if (typeof nullCard === 'string') throw new Error(nullCard)
  const asked: GpuUsage = { buffers: 0, submits: 0, dispatches: 0 }
  const device = countingDevice(nullCard.device, asked)
  registerWebGpu(async () => ({ ...nullCard, device }))
  tf.enableProdMode()
  await tf.setBackend('webgpu')
  return { backend: tf.backend() as WebGpuBackend, asked }
}

/** Leaves the card when the tests of a file are over; the device stays open for the next file. */
export function leaveCard(): void {
  afterAll(async () => {
    await tf.setBackend('cpu')
    if (tf.findBackendFactory('webgpu')) tf.removeBackend('webgpu') // else tfjs could choose it
  })
}
