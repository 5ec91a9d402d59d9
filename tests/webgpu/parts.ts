import * as tf from '@tensorflow/tfjs'
import { openCard } from '../../app/webgpu.ts'
import type { GpuDevice } from '../../engine/backends/webgpu/gpu.ts'
import { registerWebGpu } from '../../engine/backends/webgpu/register.ts'
import { watched } from '../../engine/bench/countingDevice.ts'
import { limited } from '../engine/backends/webgpu/fakes.ts'
import { differing, otherBits, type Values } from './compare.ts'
import { trained } from './training.ts'

/** Bytes of a buffer of a card that has small ones. */
const PAGE = 2 ** 14

/** A training that takes each example by itself, on a card with such limits. */
async function oneByOne(limits: Parameters<typeof limited>[1]): Promise<Values> {
  registerWebGpu(async () => {
    const card = await openCard()
    return { ...card, partFloats: 1, device: limited(card.device, limits) }
  })
  await tf.setBackend('webgpu')
  return trained(null)
}

/** A device without room for a program, twice: it says so of a buffer that holds the values of a training. */
function fullTwice(device: GpuDevice): GpuDevice {
  let [times, isLacking] = [2, false]
  return watched(device, {
    createBuffer: (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      isLacking = times > 0 && description.size > PAGE
      if (isLacking) times--
      return device.createBuffer(description)
    },
    popErrorScope: async () => {
      const message = isLacking ? 'no memory is left' : ''
      isLacking = false
      const found = await device.popErrorScope()
      return message ? { message } : found
    },
  })
}

/** A training whose batches, of 4 examples each, have no room at once, nor halves of them. */
async function retried(): Promise<Values> {
  registerWebGpu(async () => {
    const card = await openCard()
    return { ...card, device: fullTwice(card.device) }
  })
  await tf.setBackend('webgpu')
  const note = 'the graphics card has no room for 4 examples at once: each batch is taken in 4 parts'
  return trained(null, undefined, note)
}

/**
 * A batch taken in parts has the numbers of one taken at once, masks of dropout included, and the same bits on any card, whether it is
 * taken so by its size or since the memory is full.
 */
export async function parts(): Promise<string[]> {
  const wanted = await trained('simd')
  const own = await oneByOne({})
  const small = { maxStorageBufferBindingSize: PAGE, maxBufferSize: PAGE }
  const few = await oneByOne({ ...small, maxStorageBuffersPerShaderStage: 8 })
  const many = await oneByOne({ ...small, maxStorageBuffersPerShaderStage: 12 })
  const full = await retried()
  return [
    ...differing(own, wanted, 2e-6),
    ...differing(full, wanted, 2e-6),
    ...[few, many, full].flatMap((values) => otherBits(values, own)),
  ]
}
