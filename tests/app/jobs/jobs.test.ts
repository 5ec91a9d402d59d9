import { EventEmitter } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import { startJobs } from '../../../app/jobs/jobs.ts'
import type { PlannedRun } from '../../../engine/records/run.ts'
import type { JobsCalls } from '../../../engine/study/jobs/calls.ts'

/** A thread that hears messages and answers none. */
class FakeWorker extends EventEmitter {
  heard = 0
  ended = 0
  readonly script: string
  readonly given: unknown
  constructor(script: URL, { workerData }: { workerData: unknown }) {
    super()
    this.script = script.pathname
    this.given = workerData
    threads.push(this)
  }
  postMessage() {
    this.heard += 1
  }
  terminate() {
    this.ended += 1
    return Promise.resolve(0)
  }
}

const threads: FakeWorker[] = []
vi.mock('node:worker_threads', () => ({
  Worker: function Worker(...given: ConstructorParameters<typeof FakeWorker>) {
    return new FakeWorker(...given)
  },
}))
afterEach(() => void threads.splice(0))

const start = { notebook: '// %% a', backend: 'simd', threads: 2 }
const source = {} as JobsCalls

it('starts a thread with the notebook, asks it, and ends it', async () => {
  const jobs = startJobs(1, start, source)
  expect(threads).toEqual([])
  void jobs.trainersOf('s', {}, ['k']).catch(() => {})
  await expect.poll(() => threads[0]?.heard).toBe(1)
  expect(threads).toHaveLength(1)
  expect(threads[0]?.script).toMatch(/\/app\/jobs\/job\.ts$/)
  expect(threads[0]?.given).toBe(start)
  await jobs.close()
  expect(threads[0]?.ended).toBe(1)
})

it.each([
  ['error', new Error('out of memory'), 'the thread that trained this run ended: out of memory'],
  ['exit', 1, 'the thread that trained this run ended: code 1'],
])('fails what a thread that ends by an %s was asked', async (event, value, message) => {
  const jobs = startJobs(2, start, source)
  const asked = jobs.trainersOf('s', {}, ['k'])
  await expect.poll(() => threads[0]?.heard).toBe(1)
  threads[0]?.emit(event, value)
  await expect(asked).rejects.toThrow(message)
  // the next one who asks starts it again
  const again = jobs.trainersOf('s', {}, ['k'])
  await expect.poll(() => threads[1]?.heard).toBe(1)
  threads[1]?.emit('exit', 0)
  await expect(again).rejects.toThrow('code 0')
})

it('is not confused by a thread that ends twice, and late', async () => {
  const jobs = startJobs(1, start, source)
  const ask = () => jobs.trainersOf('s', {}, ['k']).catch(() => {})
  void ask()
  await expect.poll(() => threads[0]?.heard).toBe(1)
  threads[0]?.emit('error', new Error('out of memory'))
  threads[0]?.emit('exit', 1)
  void ask()
  await expect.poll(() => threads[1]?.heard).toBe(1)
  threads[0]?.emit('exit', 1)
  void ask()
  await expect.poll(() => threads[1]?.heard).toBe(2)
  expect(threads).toHaveLength(2)
})

it('without jobs gives no trainers', async () => {
  expect(await startJobs(0, start, source).trainersOf('s', {}, [] as PlannedRun['key'][])).toEqual([])
})
