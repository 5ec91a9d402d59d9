import * as tf from '@tensorflow/tfjs'
import { openCard } from '../../app/webgpu.ts'
import type { GpuDevice } from '../../engine/backends/webgpu/gpu.ts'
import { registerWebGpu } from '../../engine/backends/webgpu/register.ts'
import { watched } from '../../engine/bench/countingDevice.ts'
import { limited } from '../engine/backends/webgpu/fakes.ts'
import { otherBits } from './compare.ts'
import { trained } from './training.ts'

/** Bytes of a buffer, so few that a toy model needs several and its values go across their ends. */
const PAGE = 2 ** 14

/** A training whose values lie in several buffers, dispatch by dispatch, has the bits of one with a single buffer. */
export async function pages(): Promise<string[]> {
  const wanted = await trained('webgpu')
  let full = 0
  registerWebGpu(async () => {
    const card = await openCard()
    const limits = { maxStorageBufferBindingSize: PAGE, maxBufferSize: PAGE, maxStorageBuffersPerShaderStage: 12 }
    const createBuffer = (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      if (description.size === PAGE) full++
      return card.device.createBuffer(description)
    }
    return { ...card, losses: 2, device: watched(limited(card.device, limits), { createBuffer }) }
  })
  await tf.setBackend('webgpu')
  const own = await trained(null)
  return [...(full < 3 ? [`FAILED: ${full} buffers are full`] : []), ...otherBits(own, wanted)]
}
