import { beforeAll, describe, expect, it } from 'vitest'
import type { GpuUsage } from '../../../../engine/bench/countingDevice.ts'
import { gmlp } from '../../../../engine/models/index.ts'
import { createModel } from '../../../../engine/nn/model.ts'
import { type ModelOptions, resolveSize } from '../../../../engine/nn/size.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'
import { createLanes } from '../../../../engine/train/steps/lockstep.ts'
import { train } from '../../../../engine/train/train.ts'
import { LONG } from '../../../long.ts'
import { toyTask } from '../../train/toy.ts'
import { leaveCard, noCard, useNullCard } from './cards.ts'

leaveCard()

const TOY: ModelOptions = { patch: 4, dim: 8, depth: 2 }

describe.skipIf(noCard)(`several seeds on a card that computes nothing ${noCard}`, () => {
  let asked: GpuUsage
  beforeAll(async () => {
    asked = (await useNullCard()).asked
  })

  /** Dispatches of a step of so many seeds. */
  async function dispatchesOf(seeds: number, options: ModelOptions): Promise<number> {
    const recipe = resolveRecipe({ steps: 3, batch: 8, evalEvery: 3, logEvery: 3, snapshots: 0, clip: 1 })
    const task = toyTask()
    const size = resolveSize(gmlp, options, 'toy')
    const seen: number[] = []
    const runs = createLanes(seeds).map(async (lane, seed) => {
      const model = createModel(task.model(gmlp, size), task.input, seed + 1)
      let last: TrainEvent | null = null
      for await (const event of lane.inTurns(train({ model, task, recipe, seed, lane }))) {
        if (event.type === 'step' && seed === 0) seen.push(asked.dispatches)
        last = event
      }
      model.dispose()
      return last
    })
    for (const last of await Promise.all(runs)) expect(last).toEqual({ type: 'done', step: 3 })
    const [before, after] = seen as [number, number]
    return after - before
  }

  it('take the dispatches of one', async () => {
    expect(await dispatchesOf(3, TOY)).toBe(await dispatchesOf(1, TOY))
  })

  // plan.test.ts counts those of one, for which no model is made
  it.runIf(LONG)('take at most 110 dispatches a step, six of gMLP 128x6 together', async () => {
    const dispatches = await dispatchesOf(6, { patch: 4, dim: 128, ffn: 512, depth: 6 })
    expect(dispatches).toBeLessThanOrEqual(110)
  })

  it('take the dispatches of one in several buffers, too', async () => {
    const page = 2 ** 16
    asked = (await useNullCard({ maxStorageBufferBindingSize: page, maxBufferSize: page })).asked
    expect(await dispatchesOf(3, TOY)).toBe(await dispatchesOf(1, TOY))
  })

  it('are several programs where the buffers of the card have no room for all', async () => {
    asked = (await useNullCard({ maxStorageBufferBindingSize: 2 ** 14, maxBufferSize: 2 ** 14 })).asked
    expect(await dispatchesOf(3, TOY)).toBe(3 * (await dispatchesOf(1, TOY)))
  })
})
