import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { openCard } from '../../../app/webgpu.ts'
import type { GpuDevice } from '../../../engine/backends/webgpu/gpu.ts'
import { measureCard } from '../../../engine/bench/card.ts'
import { configurations } from '../../../engine/bench/configurations.ts'
import { watched } from '../../../engine/bench/countingDevice.ts'
import { messageOf } from '../../../engine/errors.ts'
import { gmlp } from '../../../engine/models/index.ts'

const open = () => openCard(['backend=null'])
const why = await open().then(
  () => '',
  (error: unknown) => `skipped: ${messageOf(error)}`,
)

const tiny = {
  name: 'tiny',
  block: gmlp({ patch: 4, dim: 8, ffn: 16, depth: 2 }),
  modality: 'image' as const,
  input: [8, 8, 3],
  outputs: 3,
  batch: 2,
}

it.skipIf(why)(`a program asks the card for less than stock tfjs ${why}`, async () => {
  const before = tf.memory().numTensors
  const own = await measureCard(tiny, 'program', 2, open)
  const stock = await measureCard(tiny, 'stock webgpu', 2, open)
  await tf.setBackend('cpu')
  tf.removeBackend('webgpu')
  expect(own.asked).toMatchObject({ submits: 1, buffers: 0 })
  expect(own.asked?.dispatches).toBeLessThan((stock.asked?.dispatches ?? 0) / 4)
  expect(stock.dispatches).toBeNull()
  expect(own.step[0]).toBeGreaterThanOrEqual(own.step[1])
  expect(tf.memory().numTensors).toBe(before)
})

it.skipIf(why)(`a program of more than one buffer holds asks the card for no more ${why}`, async () => {
  const found = configurations.find(({ name }) => name === 'gmlp-128x6')
  if (!found) throw new Error('is no configuration')
  let largest = 0
  const watching = async () => {
    const card = await open()
    const createBuffer = (description: Parameters<GpuDevice['createBuffer']>[0]) => {
      largest = Math.max(largest, description.size)
      return card.device.createBuffer(description)
    }
    return { ...card, device: watched(card.device, { createBuffer }) }
  }
  const { asked } = await measureCard(found, 'program', 1, watching)
  await tf.setBackend('cpu')
  tf.removeBackend('webgpu')
  expect(asked).toMatchObject({ submits: 1, buffers: 0 })
  expect(asked?.dispatches).toBeLessThan(110)
  expect(largest).toBe(2 ** 27) // all that this card lets a shader see at once; the plan has 219 MB
})
