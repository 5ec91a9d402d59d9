import * as tf from '@tensorflow/tfjs-core'
import { WebGpuBackend } from './backend.ts'
import type { OpenedCard } from './card.ts'
import { replaceCumulative } from './cumulative.ts'
import { replaceFunctions } from './functions.ts'
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
  replaceCumulative()
  replaceFunctions()
  const makers = { program: createProgram, training: createTraining }
  const start = async () => new WebGpuBackend(await open(), makers)
  tf.registerBackend('webgpu', start, PRIORITY)
}
