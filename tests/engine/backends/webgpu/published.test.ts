import { expect, it } from 'vitest'
import { LONG, sample } from '../../../long.ts'
import { expectGoodPlan } from './goodPlan.ts'
import { stepPlan, UPDATE } from './graphs.ts'
import { paperBatches, publishedBatch } from './publishedBatch.ts'

/** Cards with buffers of 128 MiB, as little as WebGPU promises, of 1 GiB and of almost 4 GiB; not all of them each time. */
const cards = [2 ** 27, 2 ** 30, 2 ** 32 - 4]
  .map((bytes) => ({
    maxStorageBufferBindingSize: bytes,
    maxBufferSize: bytes,
    maxStorageBuffersPerShaderStage: 8,
  }))
  .slice(0, LONG ? 3 : 1)

/** The first is small. */
const batches: typeof paperBatches = [['mixer-s32', 4096], ...paperBatches]

it.each(sample(batches, 0, batches.length))(
  '%s with the batch of its paper, %i, fits small cards in parts',
  async (name, batch) => {
    const { recorded, trainees } = await publishedBatch(name, batch)
    const plans = cards.map((limits) => stepPlan(recorded, trainees, { ...UPDATE, parts: 1 }, { limits }))
    for (const [i, plan] of plans.entries()) {
      const most = cards[i]?.maxBufferSize as number
      expect(plan.parts).toBeGreaterThan(1)
      expect(plan.parts).toBe(plans[0]?.parts) // so that all cards give the same bits
      expect(plan.each).toBeLessThanOrEqual(400)
      expect(4 * Math.min(plan.floats, plan.pages.elements)).toBeLessThanOrEqual(most)
      expect(4 * plan.ints).toBeLessThanOrEqual(most)
    }
    await expectGoodPlan(plans[0] as (typeof plans)[number])
  },
)
