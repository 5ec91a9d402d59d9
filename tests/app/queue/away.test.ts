import { readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'bullmq'
import { expect, it, onTestFinished } from 'vitest'
import { importFolders } from '../../../app/journal/import.ts'
import { openRedis, openSending } from '../../../app/queue/connect.ts'
import { namesOf, PREFIX, queueName } from '../../../app/queue/names.ts'
import { nameOf, putObject } from '../../../app/queue/objects.ts'
import { openAside } from '../../../app/queue/worker/aside.ts'
import { openCache } from '../../../app/queue/worker/cache.ts'
import { createSender } from '../../../app/queue/worker/sender.ts'
import { holdLock } from '../../../app/queue/worker/trainAttempt.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { storeIn } from '../store/openedStores.ts'
import { freshFolder } from '../store/samples.ts'
import { head } from './head.ts'
import { openedQueue, plannedWork } from './opened.ts'
import { skipLine, startServer } from './server.ts'

const notebook = `// %% study
import { compare, image, mixer, shapes } from 'mixlab'
export const short = compare('short', {
  task: image({ data: shapes({ train: 64, test: 20, size: 16 }) }),
  model: { patch: 4, dim: 16, depth: 1 },
  variants: { mixer: mixer() },
  train: { steps: 3, batch: 8 },
  seeds: 1,
})
`

const start: TrainEvent = { type: 'start', steps: 3, parameters: 1 }
const step = (step: number): TrainEvent => ({ type: 'step', step, ms: 1 })
const metric = (step: number): TrainEvent => ({ type: 'metric', step, name: 'loss', value: step / 2 })
const checkpoint = (step: number): TrainEvent => ({
  ...{ type: 'checkpoint', step, weights: Uint8Array.of(step) },
  ...(step < 3 && { state: Uint8Array.of(9, step) }),
})
const before = [start, step(1), metric(1), checkpoint(1)]
const meanwhile = [step(2), metric(2), checkpoint(2), step(3), metric(3), checkpoint(3)]
const done: TrainEvent = { type: 'done', step: 3 }

it.skipIf(skipLine())(
  'a worker whose server is killed finishes its run on its disk, takes its lock again, and hands the run over',
  async () => {
    const server = await startServer()
    onTestFinished(server.close)
    const { open, signer, jobs, folder, host, names } = await openedQueue(server)
    const queue = await open()
    const work = await plannedWork(notebook, host)
    const { run } = work
    const { key } = run
    const attempt = queue.attempt(work)
    const redis = await openRedis(server.address)
    const sending = openSending(redis)
    const options = { connection: redis, prefix: PREFIX, name: 'a worker' }
    const worker = new Worker(queueName(signer.workspace, 'simd'), null, options)
    worker.on('error', () => {})
    onTestFinished(async () => {
      await worker.close(true)
      for (const each of [redis, sending]) each.disconnect()
    })

    await expect.poll(() => jobs.getJobState(key)).toBe('waiting')
    const job = await worker.getNextJob('token', { block: false })
    if (!job) throw new Error('no job')
    const { nonce } = JSON.parse(job.data.body)
    const journals = join(folder, 'journals')
    const { backend, device, environment } = head
    const aside = openAside(journals, { ...run, backend, device, environment, attempt: 1 }, null, () => {})
    const sender = createSender(sending, names, { run: key, nonce, attempt: 1 }, head, null, aside)
    const put = (event: TrainEvent) => {
      aside.put(event)
      sender.put(event)
    }
    for (const event of before) put(event)
    await sender.flush()
    expect(await attempt).toMatchObject({ number: 1 })
    const got: TrainEvent[] = []
    const take = async () => {
      const events = await queue.events(key, 1, got.length, got.length)
      if (Array.isArray(events)) got.push(...events)
      return events
    }
    while (got.length < before.length) await take()

    server.halt() // what is under way when it dies is sent again
    for (const event of meanwhile.slice(0, 2)) put(event)
    await expect
      .poll(() => (sending as unknown as { commandQueue: ArrayLike<unknown> }).commandQueue.length)
      .toBeGreaterThan(0)
    await server.kill()
    await expect.poll(() => sending.status).not.toBe('ready')
    for (const event of meanwhile.slice(2)) put(event)
    put(done)
    // this worker never comes back: its journal is all that is left
    const other = freshFolder()
    const store = storeIn(other)
    expect(importFolders(store, [journals])).toMatchObject({ taken: 1, done: 1, left: [] })
    expect(importFolders(store, [journals])).toMatchObject({ taken: 0, known: 1 })
    const [stored] = store.findDone([key])
    expect(stored).toMatchObject({ status: 'done', step: 3, metrics: { loss: { last: 1.5, count: 3 } } })
    expect([...store.readWeights(stored?.id ?? 0)]).toEqual([3])

    // it comes back, later than its lock
    await server.start()
    await server.redis.del(`${job.queueQualifiedName}:${key}:lock`)
    expect(await holdLock(redis, job)).toBe(true)
    await sender.flush()
    while (got.length < before.length + meanwhile.length + 1) await take()
    const placeholder = { type: 'step', step: 2, ms: 0 } // of the checkpoint that a later one has replaced
    expect(got).toEqual([...before, ...meanwhile.with(2, placeholder as TrainEvent), done])
    expect(aside.close(false)).toBeNull()
    expect(readdirSync(journals)).toEqual([])
    sender.stop()

    // a server that has lost its last second gives the same number to another one
    await server.redis.hset(`${job.queueQualifiedName}:${key}`, 'pb', 'another')
    await server.redis.del(`${job.queueQualifiedName}:${key}:lock`)
    expect(await holdLock(redis, job)).toBe(false)

    // once another one has taken the run, it is theirs
    await server.redis.hset(`${job.queueQualifiedName}:${key}`, 'pb', 'a worker')
    await server.redis.hincrby(`${job.queueQualifiedName}:${key}`, 'ats', 1)
    await server.redis.del(`${job.queueQualifiedName}:${key}:lock`)
    expect(await holdLock(redis, job)).toBe(false)
    await take()
  },
)

it.skipIf(skipLine())('data of a job are there where the disk takes none of them, which is said once', async () => {
  const server = await startServer()
  const folder = freshFolder()
  onTestFinished(async () => {
    await server.close()
  })
  const names = namesOf('w')
  const said: string[] = []
  const cache = openCache(folder, (line) => said.push(line))
  for (const bytes of [Buffer.from('one'), Buffer.from('two')]) {
    const name = nameOf(bytes)
    symlinkSync(join(folder, 'none', 'at all'), join(folder, name.sha256.slice(0, 2))) // where its folder would be
    await putObject(server.redis, names.data, name, bytes)
    const got = await cache(server.redis, names, name, new AbortController().signal)
    expect(Buffer.from(got)).toEqual(bytes)
  }
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('notebooks and data are not kept here')
})
