import * as tf from '@tensorflow/tfjs-core'
import { WebGpuBackend } from './backend.ts'
import type { GpuDevice } from './gpu.ts'
import { createProgram } from './program.ts'
import { createTraining } from './train/program.ts'

/** An opened graphics card. */
export interface OpenedCard {
  device: GpuDevice
  /** `GPUAdapterInfo`, which the stock backend reads. */
  info?: object | undefined
}

/** Above the stock backend of WebGPU. */
const PRIORITY = 4

/** Limits of WebGPU that are asked for as high as the adapter has them. */
export const LIMITS = [
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxComputeWorkgroupSizeX',
  'maxComputeInvocationsPerWorkgroup',
] as const

/**
 * Registers the backend `webgpu`: the kernels of tfjs, and programs. Takes the place of the stock one where that has been
 * registered. `open` is called when the backend starts.
 */
export function registerWebGpu(open: () => Promise<OpenedCard>): void {
  if (tf.findBackendFactory('webgpu')) tf.removeBackend('webgpu')
  const start = async () => {
    const { device, info } = await open()
    return new WebGpuBackend(device, info, { program: createProgram, training: createTraining })
  }
  tf.registerBackend('webgpu', start, PRIORITY)
}
