import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { registerSimd } from '../../../engine/backends/simd/register.ts'
import { diagramOf } from '../../../engine/diagram/record.ts'
import { measureTimes, timeOf } from '../../../engine/diagram/time.ts'
import { treeOf } from '../../../engine/diagram/tree.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { codeOf } from './models.ts'

const rest = async () => {}

it.each([
  ['simd', 'each operation'],
  ['cpu', 'each block'],
])('measures on %s %s, and leaves nothing behind', async (backend, what) => {
  registerSimd({ threads: 1, spawn: async () => {} })
  await tf.setBackend(backend)
  const code = codeOf(gmlp, 'image', 3)
  const diagram = await diagramOf('gmlp', ...code)
  const before = tf.memory().numTensors
  const times = await measureTimes(...code, diagram, 2, rest)
  expect(tf.memory().numTensors).toBe(before)
  expect(times.how).toContain(`a batch of 2 on ${backend}`)
  const spans = what === 'each block' ? 4 : diagram.operations.length
  expect(times.spans).toHaveLength(spans)
  expect(times.spans.map(({ from }) => from)).toEqual([0, ...times.spans.slice(0, -1).map(({ to }) => to)])
  const root = treeOf(diagram)
  const whole = times.spans.reduce((sum, { ms }) => sum + ms, 0)
  expect(timeOf(root, times)).toBe(whole)
  const first = root.children[0]
  expect(first && timeOf(first, times) === null).toBe(what === 'each block')
})
