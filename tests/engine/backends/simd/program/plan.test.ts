import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import { GROUPS } from '../../../../../engine/backends/simd/kernels/matmulGroups.ts'
import { planOf } from '../../../../../engine/backends/simd/program/plan.ts'
import { recordGraph } from '../../../../../engine/compile/record.ts'
import { randomGraphs } from '../../../compile/graphs.ts'
import { leaveSimd, useThreads } from '../../../compile/setup.ts'

leaveSimd()

it('cuts a batch of any size into chunks for threads', async () => {
  const { wasm } = await useThreads(1)
  for (const { batch, graph } of await randomGraphs(20)) {
    const { chunks } = planOf(graph, batch, wasm, 1).cut
    expect(batch % chunks).toBe(0)
    expect(chunks).toBeGreaterThanOrEqual(Math.min(batch, GROUPS))
  }
})

it('cuts examples into rows where threads would have none, and large values', async () => {
  const { wasm } = await useThreads(1)
  const rowsOf = async (batch: number, tokens: number, threads: number, channels = 512) => {
    const shape = [batch, tokens, channels]
    const graph = await recordGraph({ x: { shape, dtype: 'float32' } }, ({ x }) => ({ y: tf.relu(x as tf.Tensor) }))
    const { chunks, rows } = planOf(graph, batch, wasm, threads).cut
    expect(chunks).toBe(batch * (rows ? Math.ceil(tokens / rows.each) : 1))
    return rows?.each
  }
  expect(await rowsOf(1, 1024, 2)).toBe(64)
  expect(await rowsOf(1, 1025, 2)).toBe(65)
  expect(await rowsOf(3, 1024, 2)).toBe(171)
  expect(await rowsOf(1, 65, 2)).toBe(16)
  for (const whole of [rowsOf(1, 1024, 1), rowsOf(2, 1024, 2), rowsOf(8, 1024, 2), rowsOf(1, 1024, 2, 8)]) {
    expect(await whole).toBeUndefined()
  }
  for (const tokens of [1, 16]) expect(await rowsOf(1, tokens, 2, 2 ** 16)).toBeUndefined()
})
