import { decode, encode } from '@msgpack/msgpack'
import { expect, it, vi } from 'vitest'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { PlannedRun } from '../../../engine/records/run.ts'
import { attemptsAt } from '../../../engine/study/runners/attempts.ts'
import type { Place } from '../../../engine/study/runners/runner.ts'

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
const { signal } = new AbortController()
const run: PlannedRun = { key: 'k', study: 's', variant: 'v', seed: 1, spec: {}, code: '' }

async function* eventsAt(place: Place): AsyncGenerator<TrainEvent> {
  for await (const { events } of attemptsAt(place, run)) yield* events(1, 0)
}

const started = (workers: number) => expect.poll(() => FakeWorker.all.length).toBe(workers)

it('starts a worker for the first run of each place, which share the cores', async () => {
  FakeWorker.all = []
  const trainers = createTrainers(request, source)
  expect(await trainers.placesFor('s', ['a'], signal)).toBeNull()
  expect(FakeWorker.all).toHaveLength(0)
  const places = (await trainers.placesFor('s', ['a', 'b', 'c', 'd', 'e', 'f'], signal)) ?? []
  expect(places).toHaveLength(2)
  for (const place of places) void eventsAt(place).next()
  await started(2)
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

it('starts another worker for the run of one that breaks down, fails a run that loses three, and no other', async () => {
  FakeWorker.all = []
  const trainers = createTrainers({ ...request, atOnce: 2, plans: null }, source)
  const [first, second] = (await trainers.placesFor('s', ['a', 'b'], signal)) ?? []
  if (!first || !second) throw new Error('two places')
  const events = eventsAt(first)
  let others = 0
  const own = [FakeWorker.all[0]]
  const next = async () => (await events.next()).value
  const broken = async () => {
    const told = next() // starts a worker, for there is none
    await started(own.length + 2)
    own.push(FakeWorker.all.at(-1))
    own.at(-1)?.emit('error', { message: '' })
    return told
  }
  const told = next()
  void eventsAt(second)
    .next()
    .then(() => {
      others += 1
    })
  await started(2)
  own[0]?.emit('error', { message: '' })
  const lost = 'its process ended: it could not be loaded; it continues from its last checkpoint'
  expect(await told).toEqual({ type: 'warning', step: 0, message: lost })
  expect(await next()).toEqual({ type: 'interrupted', step: 0 })
  expect(await broken()).toEqual({ type: 'warning', step: 0, message: lost })
  expect(await next()).toEqual({ type: 'interrupted', step: 0 })
  expect(await broken()).toMatchObject({ type: 'failed', message: expect.stringMatching(/^lost its process 3 times/) })
  expect(await next()).toBeUndefined()
  expect(others).toBe(0)
  expect(own.map((worker) => worker?.terminate.mock.calls.length)).toEqual([1, 1, 1])
  expect(FakeWorker.all).toHaveLength(4)
  trainers.close()
})
