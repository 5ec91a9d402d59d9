import { decode, encode } from '@msgpack/msgpack'
import { expect, it, vi } from 'vitest'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { PlannedRun } from '../../../engine/records/run.ts'

/** Stands for a worker that knows every run, and answers nothing else. */
class FakeWorker {
  static all: FakeWorker[] = []
  readonly posted: unknown[] = []
  readonly terminate = vi.fn()
  readonly #listeners: [type: string, listener: (event: object) => void][] = []
  constructor() {
    FakeWorker.all.push(this)
  }
  postMessage(message: unknown): void {
    this.posted.push(message)
    if (!(message instanceof Uint8Array)) return
    const { i, m } = decode(message) as { i: string; m: string }
    if (m === 'knows') this.emit('message', { data: encode({ t: 's', i, r: true }) })
  }
  addEventListener(type: string, listener: (event: object) => void): void {
    this.#listeners.push([type, listener])
  }
  emit(type: string, event: object): void {
    for (const [known, listener] of this.#listeners) if (known === type) listener(event)
  }
}

// The module takes these with it when it is loaded.
vi.stubGlobal('Worker', FakeWorker)
vi.stubGlobal('navigator', { hardwareConcurrency: 4 })
const { createTrainers } = await import('../../../renderer/kernel/trainers.ts')
vi.unstubAllGlobals()

const none = () => Promise.reject(new Error('none'))
const source = { list: none, read: none, findDone: none, readWeights: none, readState: none }
const request = { cells: [], facts: { cells: [], order: [] }, id: 'study', train: true, atOnce: null, plans: null }
const run: PlannedRun = { key: 'k', study: 's', variant: 'v', seed: 1, spec: {}, code: '' }

async function all(events: AsyncGenerator<TrainEvent>): Promise<TrainEvent[]> {
  const found: TrainEvent[] = []
  for await (const event of events) found.push(event)
  return found
}

it('starts a worker for the first run of each place, which share the cores', async () => {
  FakeWorker.all = []
  const trainers = createTrainers(request, source)
  expect(await trainers.placesFor('s', {}, ['a'])).toBeNull()
  expect(FakeWorker.all).toHaveLength(0)
  const places = (await trainers.placesFor('s', {}, ['a', 'b', 'c', 'd', 'e', 'f'])) ?? []
  expect(places).toHaveLength(2)
  for (const [i, train] of places.entries()) void train(run, i).next()
  expect(FakeWorker.all.map(({ posted }) => posted[0])).toEqual([
    { cells: [], facts: request.facts, id: 'study', threads: 2 },
    { cells: [], facts: request.facts, id: 'study', threads: 2 },
  ])

  FakeWorker.all.forEach((worker, i) => {
    worker.emit('message', { data: { tensors: 1 + i, bytes: 10 } })
    worker.emit('message', { data: encode({ t: 's', i: 'of no call' }) })
  })
  expect(trainers.memory()).toEqual({ tensors: 3, bytes: 20 })
  trainers.close()
  expect(FakeWorker.all.map(({ terminate }) => terminate.mock.calls.length)).toEqual([1, 1])
  expect(trainers.memory()).toEqual({ tensors: 0, bytes: 0 })
})

it('fails the run of a worker that breaks down, and no other', async () => {
  FakeWorker.all = []
  const trainers = createTrainers({ ...request, atOnce: 2, plans: null }, source)
  const [first, second] = (await trainers.placesFor('s', {}, ['a', 'b'])) ?? []
  if (!first || !second) throw new Error('two places')
  const events = all(first(run, 1))
  let others = 0
  void second(run, 2)
    .next()
    .then(() => {
      others += 1
    })
  FakeWorker.all[0]?.emit('error', { message: '' })
  expect(await events).toEqual([
    { type: 'failed', step: 0, message: 'the thread that trained this run ended: it could not be loaded' },
  ])
  expect(others).toBe(0)
  expect(FakeWorker.all.map(({ terminate }) => terminate.mock.calls.length)).toEqual([1, 0])
  trainers.close()
})
