import * as tf from '@tensorflow/tfjs'
import { openCard } from '../../app/webgpu.ts'
import { registerWebGpu } from '../../engine/backends/webgpu/register.ts'
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

/** A batch taken in parts has the numbers of one taken at once, masks of dropout included, and the same bits on any card. */
export async function parts(): Promise<string[]> {
  const wanted = await trained('simd')
  const own = await oneByOne({})
  const small = { maxStorageBufferBindingSize: PAGE, maxBufferSize: PAGE }
  const few = await oneByOne({ ...small, maxStorageBuffersPerShaderStage: 8 })
  const many = await oneByOne({ ...small, maxStorageBuffersPerShaderStage: 12 })
  return [...differing(own, wanted, 2e-6), ...otherBits(few, own), ...otherBits(many, own)]
}
