import * as tf from '@tensorflow/tfjs'
import { afterAll } from 'vitest'
import { openCard } from '../../../../app/webgpu.ts'
import type { WebGpuBackend } from '../../../../engine/backends/webgpu/backend.ts'
import { type GpuDevice, USE } from '../../../../engine/backends/webgpu/gpu.ts'
import { registerWebGpu } from '../../../../engine/backends/webgpu/register.ts'
import { countingDevice, type GpuUsage, watched } from '../../../../engine/bench/countingDevice.ts'
import { messageOf } from '../../../../engine/errors.ts'
import { limited } from './fakes.ts'

/** A card that checks every shader, binding and command, and computes nothing; else why there is none. */
export const nullCard = await openCard(['backend=null']).catch((error: unknown) => messageOf(error))

/** Why tests that need such a card are skipped; empty where they are not. */
export const noCard = typeof nullCard === 'string' ? `skipped: ${nullCard}` : ''

/**
 * The same device, with zeros in the buffers that are read: a null card computes nothing, so what is read
 * would be whatever the memory held before, at times not finite, and the run would fail.
 */
function readingZeros(device: GpuDevice): GpuDevice {
  return watched(device, {
    createBuffer: (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      const buffer = device.createBuffer(description)
      if (description.usage & USE.mapRead) device.queue.writeBuffer(buffer, 0, new Uint8Array(description.size))
      return buffer
    },
  })
}

/** Makes the null card, or one that allows less, the backend until the tests of a file are over, and counts what it is asked for. */
export async function useNullCard(
  limits: Partial<GpuDevice['limits']> = {},
): Promise<{ backend: WebGpuBackend; asked: GpuUsage }> {
  if (typeof nullCard === 'string') throw new Error(nullCard)
  const asked: GpuUsage = { buffers: 0, submits: 0, dispatches: 0 }
  const device = countingDevice(limited(readingZeros(nullCard.device), limits), asked)
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
