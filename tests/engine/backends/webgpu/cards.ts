import * as tf from '@tensorflow/tfjs'
import { afterAll } from 'vitest'
import { openCard } from '../../../../app/webgpu.ts'
import type { WebGpuBackend } from '../../../../engine/backends/webgpu/backend.ts'
import type { GpuDevice } from '../../../../engine/backends/webgpu/gpu.ts'
import { registerWebGpu } from '../../../../engine/backends/webgpu/register.ts'
import { messageOf } from '../../../../engine/errors.ts'

/** A card that checks every shader, binding and command, and computes nothing; else why there is none. */
export const nullCard = await openCard(['backend=null']).catch((error: unknown) => messageOf(error))

/** Why tests that need such a card are skipped; empty where they are not. */
export const noCard = typeof nullCard === 'string' ? `skipped: ${nullCard}` : ''

/** What a card has been asked for. */
export interface Asked {
  buffers: number
  submits: number
  dispatches: number
}

/** Makes the null card the backend until the tests of a file are over, and counts what it is asked for. */
export async function useNullCard(): Promise<{ backend: WebGpuBackend; asked: Asked }> {
  if (typeof nullCard === 'string') throw new Error(nullCard)
  const asked: Asked = { buffers: 0, submits: 0, dispatches: 0 }
  const device = counted(nullCard.device, asked)
  registerWebGpu(async () => ({ ...nullCard, device }))
  tf.enableProdMode()
  await tf.setBackend('webgpu')
  return { backend: tf.backend() as WebGpuBackend, asked }
}

/** Leaves the card when the tests of a file are over; the device stays open for the next file. */
export function leaveCard(): void {
  afterAll(async () => {
    await tf.setBackend('cpu')
  })
}

/** The same device; what it is asked for is counted. */
function counted(device: GpuDevice, asked: Asked): GpuDevice {
  const { queue } = device
  const watch = <T extends object>(target: T, own: Partial<Record<keyof T, unknown>>): T =>
    new Proxy(target, {
      get: (_, name) => {
        if (name in own) return own[name as keyof T]
        const value = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const countedQueue = watch(queue, {
    submit: (commands: object[]) => {
      asked.submits++
      queue.submit(commands)
    },
  })
  return watch(device, {
    queue: countedQueue,
    createBuffer: (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      asked.buffers++
      return device.createBuffer(description)
    },
    createCommandEncoder: () => {
      const encoder = device.createCommandEncoder()
      return watch(encoder, {
        beginComputePass: (options?: object) => {
          const pass = encoder.beginComputePass(options)
          return watch(pass, {
            dispatchWorkgroups: (x: number, y: number, z: number) => {
              asked.dispatches++
              pass.dispatchWorkgroups(x, y, z)
            },
          })
        },
      })
    },
  })
}
