import { expect, it } from 'vitest'
import { leaveSimd, useThreads } from '../engine/compile/setup.ts'
import { LONG } from '../long.ts'
import { randomModels } from './models.ts'

leaveSimd()

/** How many models: the largest of the first few decides. */
const COUNT = LONG ? 12 : 6

it('models of random sizes have a heap of at most 1.3 times what the largest needs', async () => {
  await useThreads(1)
  let [need, size, models] = [0, 0, 0]
  for await (const held of randomModels(COUNT, 64)) {
    need = Math.max(need, held.need)
    size = Math.max(size, held.size)
    models++
  }
  expect(models).toBe(COUNT)
  expect(size / need).toBeGreaterThan(1)
  expect(size / need).toBeLessThan(1.3)
})
