import * as tf from '@tensorflow/tfjs-core'
import { WebGpuBackend } from './backend.ts'
import type { OpenedCard } from './card.ts'
import { createProgram } from './program.ts'
import { createTraining } from './train/program.ts'

/** Above the stock backend of WebGPU. */
const PRIORITY = 4

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
