import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MixlabError } from '../../../engine/errors.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { RunStore } from '../../../engine/records/store.ts'
import { recordEvents } from '../../../engine/study/recordEvents.ts'

/** A store that answers when it is told to. */
const asked: {
  events: TrainEvent[]
  answer: ReturnType<typeof Promise.withResolvers<{ stop: boolean; ms: number }>>
}[] = []
const runs = {
  record: (_id: number, events: TrainEvent[]) => {
    const answer = Promise.withResolvers<{ stop: boolean; ms: number }>()
    asked.push({ events, answer })
    return answer.promise
  },
} as unknown as RunStore

let now = 0
beforeEach(() => {
  asked.length = 0
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => void vi.restoreAllMocks())

/** Steps, each of which takes 200 ms: two are written at a time. */
async function* steps(count: number): AsyncGenerator<TrainEvent> {
  for (let step = 1; step <= count; step++) {
    now += 200
    yield { type: 'step', step, ms: 200 }
  }
  yield { type: 'done', step: count }
}
const record = (count: number) => recordEvents({ id: 1, epoch: 1 }, steps(count), { runs, stop: () => {} })
const stepsAsked = () => asked.map(({ events }) => events.map((event) => ('step' in event ? event.step : 0)))

it('goes on with training while a batch is written, and begins no second one', async () => {
  const events = record(5)
  for (let step = 1; step <= 3; step++) expect((await events.next()).value).toMatchObject({ event: { step } })
  expect(stepsAsked()).toEqual([[1, 2]])
  const fourth = events.next()
  await Promise.resolve()
  expect(stepsAsked()).toEqual([[1, 2]])
  asked[0]?.answer.resolve({ stop: false, ms: 400 })
  expect((await fourth).value).toMatchObject({ event: { step: 4 }, ms: 400 })
  expect(stepsAsked()).toEqual([
    [1, 2],
    [3, 4],
  ])
  asked[1]?.answer.resolve({ stop: false, ms: 800 })
  await events.next()
  const done = events.next()
  await expect.poll(stepsAsked).toHaveLength(3)
  asked[2]?.answer.resolve({ stop: false, ms: 1000 })
  expect((await done).value).toMatchObject({ event: { type: 'done' }, ms: 1000 })
  expect((await events.next()).done).toBe(true)
})

it('ends with what a batch is refused with, and records nothing more of a run that was taken up elsewhere', async () => {
  const events = record(5)
  for (let step = 1; step <= 3; step++) await events.next()
  asked[0]?.answer.reject(new MixlabError('owner', 'run 1', 'is in training elsewhere'))
  await expect(events.next()).rejects.toThrow('run 1: is in training elsewhere')
  expect(asked).toHaveLength(1)
})

it('records a run as interrupted where a batch was not written', async () => {
  const events = record(5)
  for (let step = 1; step <= 3; step++) await events.next()
  asked[0]?.answer.reject(new Error('the disk is full'))
  const ended = events.next()
  await expect.poll(() => asked.length).toBe(2)
  expect(asked[1]?.events.at(-1)).toMatchObject({ type: 'interrupted', step: 4 })
  asked[1]?.answer.resolve({ stop: false, ms: 800 })
  await expect(ended).rejects.toThrow('the disk is full')
})

it('has training wait for a checkpoint, not for what it measures', async () => {
  async function* measured(): AsyncGenerator<TrainEvent> {
    for (let step = 1; step <= 3; step++) {
      now += 300
      yield { type: 'histograms', step, weights: {}, gradients: {} }
    }
    yield { type: 'outcomes', step: 3, outcomes: Uint8Array.of(1) }
    yield { type: 'checkpoint', step: 3, weights: Uint8Array.of(2) }
  }
  const events = recordEvents({ id: 1, epoch: 1 }, measured(), { runs, stop: () => {} })
  await events.next()
  asked[0]?.answer.resolve({ stop: false, ms: 300 })
  await events.next()
  asked[1]?.answer.resolve({ stop: false, ms: 600 })
  await events.next()
  expect((await events.next()).value).toMatchObject({ event: { type: 'outcomes' } })
  const checkpoint = events.next()
  await Promise.resolve()
  expect(asked).toHaveLength(3)
  asked[2]?.answer.resolve({ stop: false, ms: 900 })
  await expect.poll(() => asked.length).toBe(4)
  expect(asked[3]?.events).toMatchObject([
    { type: 'outcomes', outcomes: Uint8Array.of(1) },
    { type: 'checkpoint', weights: Uint8Array.of(2) },
  ])
  const waiting = Symbol()
  expect(await Promise.race([checkpoint, Promise.resolve(waiting)])).toBe(waiting)
  asked[3]?.answer.resolve({ stop: false, ms: 900 })
  expect((await checkpoint).value).toMatchObject({ event: { type: 'checkpoint' } })
  void events.return(undefined)
})
