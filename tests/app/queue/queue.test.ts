import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { QueuedAttempt } from '../../../app/cells/calls.ts'
import { openRedis } from '../../../app/queue/connect.ts'
import { FIELD } from '../../../app/queue/frames.ts'
import { openJob } from '../../../app/queue/job.ts'
import { openSigner, type Signer } from '../../../app/queue/keys.ts'
import { beat, leaveMachines, listMachines, type Machine, tellMachine } from '../../../app/queue/machines.ts'
import { type Names, RENEW_MS } from '../../../app/queue/names.ts'
import { openWorkspaceQueue } from '../../../app/queue/owner/open.ts'
import { takeUp } from '../../../app/queue/resume.ts'
import { createSender } from '../../../app/queue/worker/sender.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { freshFolder } from '../store/samples.ts'
import { head } from './head.ts'
import { jobOf, key, openedQueue, packed, post, step, workOf } from './opened.ts'
import { type QueueServer, skipLine, startServer } from './server.ts'

describe.skipIf(skipLine())('a queue', () => {
  let server: QueueServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server?.close())

  const opened = (more?: Parameters<typeof openedQueue>[1]) => openedQueue(server, more)
  /** A queue in which a run waits; `attempt` settles once somebody takes it. */
  async function queued(more?: Parameters<typeof openedQueue>[1]) {
    const workspace = await opened(more)
    const queue = await workspace.open()
    const attempt = queue.attempt(workOf())
    const { nonce } = await jobOf(workspace.jobs, workspace.signer)
    const { signer } = workspace
    /** What a worker says first, and what it sends. */
    const begins = (changes: object = {}) => post(server.redis, signer, { nonce, head, ...changes })
    const sends = (...events: TrainEvent[]) => post(server.redis, signer, { nonce, events: packed(...events) })
    return { ...workspace, queue, attempt, nonce, begins, sends }
  }

  it('gives a run to who takes it, its events in their order, and is empty once they are recorded', async () => {
    const { open, signer, jobs, sending, names } = await opened()
    const queue = await open()
    const attempt = queue.attempt(workOf())
    const { nonce } = await jobOf(jobs, signer)
    const sender = createSender(sending, names, { run: key, nonce, attempt: 1 }, head)
    const weights = Uint8Array.from({ length: 5_000_000 }, (_, i) => i)
    const sent: TrainEvent[] = [
      step(1),
      { type: 'checkpoint', step: 1, weights, state: Uint8Array.of(7) },
      step(2),
      { type: 'done', step: 2 },
    ]
    for (const event of sent) sender.put(event)
    await sender.flush()
    sender.stop()
    expect(await attempt).toMatchObject({ number: 1, on: { backend: 'simd', device: 'd' } })
    const got: TrainEvent[] = []
    for (let events = await queue.events(key, 1, 0, 0); Array.isArray(events); ) {
      got.push(...events)
      events = (await queue.events(key, 1, got.length, got.length)) as TrainEvent[] | null
    }
    expect(isDeepStrictEqual(got, sent)).toBe(true) // toEqual takes seconds for megabytes
    expect(await server.redis.exists(names.frames(key), names.objects(key), names.resume(key))).toBe(0)
    expect(await jobs.getJobCountByTypes()).toBe(0)
    await post(server.redis, signer, { nonce, events: packed(step(1)) }) // of a worker that does not know yet
    await queue.close()
    expect(await server.redis.exists(names.data, names.frames(key))).toBe(0)
  })

  it('keeps what comes while its workspace is away, and a job that was added twice once', async () => {
    const { open, queue, begins, sends, nonce, signer, jobs } = await queued()
    await queue.close()
    await begins()
    await sends(step(1))
    const again = await open()
    expect(await again.attempt(workOf())).toMatchObject({ number: 1 })
    expect((await jobOf(jobs, signer)).nonce).toBe(nonce)
    expect(await again.events(key, 1, 0, 0)).toEqual([step(1)])
  })

  it('is followed by one of two commands, and by the other where the first is gone', async () => {
    const { open, queue: first, attempt, begins, sends, nonce, signer, jobs } = await queued()
    const second = await open()
    let followed = false
    const other = second.attempt(workOf()).finally(() => {
      followed = true
    })
    await begins()
    await sends(step(1))
    await attempt
    expect(await first.events(key, 1, 0, 0)).toEqual([step(1)])
    expect(followed).toBe(false)
    await first.close()
    expect(await other).toMatchObject({ number: 1 })
    expect((await jobOf(jobs, signer)).nonce).toBe(nonce)
    expect(await second.events(key, 1, 0, 0)).toEqual([step(1)])
  })

  it('is waited for again by a command whose place another one has taken for a while, as after a pause', async () => {
    const { attempt, begins, names } = await queued()
    const mine = await server.redis.get(names.follower(key))
    await server.redis.set(names.follower(key), 'another command', 'PX', 2 * RENEW_MS)
    await expect.poll(() => server.redis.get(names.follower(key))).toBe(mine)
    await begins()
    expect(await attempt).toMatchObject({ number: 1 })
  })

  it('is taken from under a value that nobody renews', async () => {
    const { open, signer, jobs, names } = await opened()
    await server.redis.lpush(names.follower(key), 'garbage')
    const queue = await open()
    const attempt = queue.attempt(workOf())
    await post(server.redis, signer, { nonce: (await jobOf(jobs, signer)).nonce, head })
    expect(await attempt).toMatchObject({ number: 1 })
  })

  it('is left to the process that trains it or has ended it', async () => {
    const { open, jobs, host } = await opened()
    const queue = await open()
    const { run } = workOf()
    const begun = await host.beginRun({ ...run, backend: 'simd', device: 'd' })
    await expect(queue.attempt(workOf())).rejects.toMatchObject({ code: 'owner' })
    await host.record(begun?.id ?? 0, [{ type: 'done', step: 1 }])
    await expect(queue.attempt(workOf())).rejects.toMatchObject({ code: 'owner' })
    expect(await jobs.getJobCountByTypes()).toBe(0)
  })

  it.each([
    ['a stream that is a text', (names, redis) => redis.set(names.frames(key), 'x')],
    ['objects that are a list', (names, redis) => redis.lpush(names.objects(key), 'x')],
    ['a state that is a set', (names, redis) => redis.sadd(names.resume(key), 'x')],
    [
      'an event that is none',
      (_, redis, signer, nonce) => post(redis, signer, { nonce, events: [{ event: { type: 'dance' } }] as never }),
    ],
  ] as [string, (names: Names, redis: QueueServer['redis'], signer: Signer, nonce: string) => Promise<unknown>][])(
    'puts a run in anew for which somebody has left %s, and others go on',
    async (_, change) => {
      const { open, signer, jobs, said, names } = await opened()
      const queue = await open()
      const other = { ...workOf(), run: { ...workOf().run, key: 'cd'.repeat(32) } }
      const [attempt, another] = [queue.attempt(workOf()), queue.attempt(other)]
      const { nonce } = await jobOf(jobs, signer)
      await expect.poll(async () => (await jobs.getJob(other.run.key)) !== undefined).toBe(true)
      await post(server.redis, signer, { nonce, head })
      await attempt
      await server.redis.del(names.frames(key))
      await change(names, server.redis, signer, nonce)
      void queue.events(key, 1, 0, 0)
      await expect.poll(async () => (await jobOf(jobs, signer)).nonce).not.toBe(nonce)
      expect(said.join()).toContain('run abababab is queued anew: ')
      const { nonce: own } = openJob((await jobs.getJob(other.run.key))?.data, other.run.key, signer)
      await post(server.redis, signer, { run: other.run.key, nonce: own, head }, other.run.key)
      expect(await another).toMatchObject({ number: 1 })
    },
  )

  it('begins a run anew whose state is no JSON', async () => {
    const { sending, names } = await opened()
    await sending.set(names.resume(key), '{"step":')
    expect(await takeUp(sending, names, key, 1)).toBeNull()
  })

  it('goes on with the next attempt where a worker is gone', async () => {
    const { queue, attempt, begins, sends, signer, nonce } = await queued()
    await begins()
    await sends(step(1))
    await attempt
    await begins({ attempt: 2 })
    await post(server.redis, signer, { nonce, attempt: 2, events: packed(step(1), step(2)) })
    expect(await queue.events(key, 1, 0, 0)).toEqual([step(1)])
    expect(await queue.events(key, 1, 1, 0)).toEqual({ lost: 'm has left it' })
    expect(await queue.attempt(workOf())).toMatchObject({ number: 2 })
    expect(await queue.events(key, 2, 0, 0)).toEqual([step(1), step(2)])
  })

  it('refuses a result for another run, one of another job, and what is none, and says so', async () => {
    const { attempt, begins, said, names } = await queued()
    await begins({ run: 'ef'.repeat(32) })
    await begins({ nonce: 'of an earlier job' })
    await server.redis.xadd(names.frames(key), '*', FIELD, 'none')
    await begins()
    expect(await attempt).toMatchObject({ number: 1 })
    expect(said).toEqual([
      'queue: refused: a result of run efefefef came for run abababab',
      'queue: refused: a result of an earlier job came for run abababab',
      'queue: refused: frame: is none of this version of Mixlab',
    ])
  })

  it('refuses a worker that lies about its version, and queues its run anew', async () => {
    const { begins, jobs, signer, said } = await queued()
    await begins({ head: { ...head, environment: { ...head.environment, numerics: 1 } } })
    await expect
      .poll(() => said.join())
      .toContain('m is not believed: it says of its runs that another version trains them')
    await expect.poll(async () => (await jobOf(jobs, signer)).base).toBeGreaterThan(0)
  })

  it('says of the runs of a worker with other bits where they are from', async () => {
    const { attempt, begins, said } = await queued({ canary: async ({ machine }) => `${machine} has other bits` })
    await begins()
    expect(((await attempt) as QueuedAttempt).on.device).toBe('d, whose canary has other bits')
    expect(said).toEqual(['queue: m has other bits'])
  })

  it('replaces a job that somebody else has put under the id of its run', async () => {
    const { open, signer, jobs, said } = await opened()
    const other = openSigner(freshFolder())
    await jobs.add('run', { body: '{}', signature: other.sign('{}') }, { jobId: key })
    const queue = await open()
    void queue.attempt(workOf())
    await expect.poll(() => said.join()).toContain('is not signed by the workspace of this key')
    await expect.poll(async () => (await jobOf(jobs, signer).catch(() => null))?.run.key).toBe(key)
  })

  it('puts a run and its data there again where the server has lost them', async () => {
    const { signer, jobs, names, nonce } = await queued()
    await server.redis.flushall()
    await expect.poll(async () => (await jobs.getJob(key)) !== undefined).toBe(true)
    expect((await jobOf(jobs, signer)).nonce).not.toBe(nonce)
    expect(await server.redis.exists(names.data)).toBe(1)
  })

  it('takes back a run that nobody has begun, and tells a worker that has', async () => {
    const { open, signer, jobs, names } = await opened()
    const queue = await open()
    const attempt = queue.attempt(workOf())
    await jobOf(jobs, signer)
    await queue.takeBack(key)
    expect(await attempt).toBeNull()
    expect(await jobs.getJob(key)).toBeUndefined()
    const again = queue.attempt(workOf())
    const { nonce } = await jobOf(jobs, signer)
    await server.redis.set(`${jobs.toKey(key)}:lock`, 'of a worker')
    await queue.takeBack(key)
    expect(await again).toBeNull()
    expect(await server.redis.hget(names.cancelled, key)).toBe('done')
    await server.redis.del(`${jobs.toKey(key)}:lock`)
    await post(server.redis, signer, { nonce, head })
    await expect.poll(() => jobs.getJob(key)).toBeUndefined()
  })

  it('queues a run anew that a server has handed out twice under one number', async () => {
    const { queue, attempt, begins, signer, jobs, said } = await queued()
    await begins()
    await attempt
    const lost = queue.events(key, 1, 0, 0)
    await begins({ head: { ...head, machine: 'other' } })
    expect(await lost).toEqual({ lost: 'its results were lost on the way' })
    expect(said.join('\n')).toContain('m and other both made attempt 1 at run abababab')
    await expect.poll(async () => (await jobOf(jobs, signer)).base).toBe(1)
  })

  it('puts a run there once a server that is full has room', async () => {
    const { open, signer, jobs, said } = await opened()
    await server.redis.config('SET', 'maxmemory', '1mb')
    const queue = await open()
    void queue.attempt(workOf())
    await expect.poll(() => said.join()).toContain('OOM')
    await server.redis.config('SET', 'maxmemory', '0')
    expect((await jobOf(jobs, signer)).run.key).toBe(key)
  })

  it('lists who lives, and what each is told', async () => {
    const { names } = await opened()
    const said: Machine = {
      ...{ id: 'a-1', host: 'a', mixlab: '1', backend: 'simd', device: 'd', jobs: 1, threads: 1, used: 1, free: 1 },
      ...{ cores: 1, memory: 1, since: 1 },
      ...{ state: 'works', runs: [] },
    }
    expect(await beat(server.redis, names, said)).toBeNull()
    await tellMachine(server.redis, names, 'a-1', 'pause')
    expect(await beat(server.redis, names, said)).toBe('pause')
    for (const list of [names.machines, names.machine('a-1'), names.told('a-1')])
      expect(await server.redis.pttl(list)).toBeGreaterThan(0) // where it dies now nothing is left of it
    expect(await listMachines(server.redis, names)).toEqual([{ ...said, seen: expect.any(Number) }])
    await server.redis.zadd(names.machines, '1', 'long-gone')
    await server.redis.config('SET', 'maxmemory', '1mb')
    expect(await listMachines(server.redis, names)).toHaveLength(1) // a server that is full is looked at as any other
    expect(await beat(server.redis, names, said)).toBe('pause')
    await server.redis.config('SET', 'maxmemory', '0')
    await beat(server.redis, names, said)
    expect(await server.redis.zrange(names.machines, '0', '-1')).toEqual(['a-1'])
    await server.redis.set(names.machines, 'garbage')
    expect(await listMachines(server.redis, names)).toEqual([])
    for (let i = 0; i < 2; i++) await beat(server.redis, names, said)
    expect(await listMachines(server.redis, names)).toHaveLength(1)
    await server.redis.config('SET', 'maxmemory', '1mb')
    await leaveMachines(server.redis, names, 'a-1')
    await server.redis.config('SET', 'maxmemory', '0')
    expect(await listMachines(server.redis, names)).toEqual([])
  })

  it('says once where runs wait and no machine works, with the line by which one joins', async () => {
    const { signer, folder, host, jobs } = await opened()
    const said: string[] = []
    const queue = await openWorkspaceQueue(server.address, host, folder, (line) => void said.push(line))
    void queue.attempt(workOf())
    await jobOf(jobs, signer)
    await expect.poll(() => said).toHaveLength(1)
    const join = `mixlab work ${server.address} --key ${signer.text}`
    expect(said).toEqual([`queue: no machine works for this workspace; one joins by: ${join}`])
    await queue.close()
  })
})

describe.skipIf(skipLine())('the address of a queue', () => {
  it('says what does not answer, and keeps its password to itself', async () => {
    const server = await startServer()
    await server.close()
    const address = server.address.replace('redis://', 'redis://me:secret@')
    const why = await openRedis(address).catch((error: Error) => error.message)
    expect(why).toContain(`${server.address}: the queue does not answer`)
    expect(why).not.toContain('secret')
  })

  it('says that it wants a password', async () => {
    const server = await startServer()
    onTestFinished(server.close)
    await server.redis.config('SET', 'requirepass', 'secret')
    await expect(openRedis(server.address)).rejects.toThrow('it wants a password: redis://:password@host')
    const redis = await openRedis(server.address.replace('redis://', 'redis://:secret@'))
    redis.disconnect()
  })
})
