import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { openCard } from '../../../app/webgpu.ts'
import { measureCard } from '../../../engine/bench/card.ts'
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
