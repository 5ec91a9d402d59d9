import * as tf from '@tensorflow/tfjs'
import { openCard } from '../../app/webgpu.ts'
import { registerWebGpu } from '../../engine/backends/webgpu/register.ts'
import { limited } from '../engine/backends/webgpu/fakes.ts'
import { otherBits } from './compare.ts'
import { trained } from './training.ts'

/** Bytes of a buffer, so few that a toy model needs several and its values go across their ends. */
const PAGE = 2 ** 14

/** A training whose values lie in several buffers has the bits of one with a single buffer. */
export async function pages(): Promise<string[]> {
  const wanted = await trained('webgpu')
  registerWebGpu(async () => {
    const card = await openCard()
    const limits = { maxStorageBufferBindingSize: PAGE, maxBufferSize: PAGE, maxStorageBuffersPerShaderStage: 12 }
    return { ...card, device: limited(card.device, limits) }
  })
  await tf.setBackend('webgpu')
  return otherBits(await trained(null), wanted)
}
