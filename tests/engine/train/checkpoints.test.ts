import { expect, it } from 'vitest'
import { add, block, dense } from '../../../engine/nn/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { type Checkpoints, checkpoints } from '../../../engine/train/checkpoints.ts'
import { movingAverage } from '../../../engine/train/ema.ts'
import { adamw, optimizerKind } from '../../../engine/train/optimizers/index.ts'
import { collect, toyModel, toyTask } from './toy.ts'

const plain = block('plain', (x, { dim }) => add(x, dense(x, dim)))

/** The checkpoints of a training by the smallest loss. */
function training(): { taken: Checkpoints; dispose(): void } {
  const model = toyModel(plain)
  const optimizer = optimizerKind('adamw').create(adamw().options, model.trained)
  const average = movingAverage(model.parameters, undefined)
  const taken = checkpoints({ model, optimizer, average }, {}, { ...toyTask(), metric: 'eval/loss' })
  const dispose = () => {
    for (const each of [average, optimizer, model]) each.dispose()
  }
  return { taken, dispose }
}
const take = async ({ taken }: { taken: Checkpoints }, step: number) => (await collect(taken.take(step)))[0]
const hasBest = (event: TrainEvent | undefined) => event?.type === 'checkpoint' && event.best !== undefined

it('a training that goes on knows what was best before, and keeps only what is better', async () => {
  const before = training()
  await before.taken.judge(1, 0.5)
  const event = await take(before, 2)
  expect(hasBest(event)).toBe(true)
  const state = (event?.type === 'checkpoint' && event.state) || null
  const after = training()
  expect(await after.taken.restore(async () => state)).toEqual({ step: 2, warning: null })
  expect(after.taken.saved).toBe(2)
  await after.taken.judge(3, 0.9)
  expect(hasBest(await take(after, 3))).toBe(false)
  await after.taken.judge(4, 0.1)
  expect(hasBest(await take(after, 4))).toBe(true)
  expect(hasBest(await take(after, 5))).toBe(false)
  for (const each of [before, after]) each.dispose()
})

it('a state that cannot be read is warned of, and counts for nothing', async () => {
  const { taken, dispose } = training()
  expect(await taken.restore(() => Promise.reject(new Error('half written')))).toEqual({
    ...{ step: 0, warning: 'half written; training starts anew' },
  })
  expect((await taken.restore(async () => new Uint8Array([1, 2, 3]))).step).toBe(0)
  expect(taken.saved).toBe(0)
  dispose()
})
