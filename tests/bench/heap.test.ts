import { expect, it } from 'vitest'
import { leaveSimd, useThreads } from '../engine/compile/setup.ts'
import { randomModels } from './models.ts'

leaveSimd()

it('models of random sizes have a heap of at most 1.3 times what the largest needs', async () => {
  await useThreads(1)
  let [need, size, models] = [0, 0, 0]
  for await (const held of randomModels(12, 64)) {
    need = Math.max(need, held.need)
    size = Math.max(size, held.size)
    models++
  }
  expect(models).toBe(12)
  expect(size / need).toBeGreaterThan(1)
  expect(size / need).toBeLessThan(1.3)
})
