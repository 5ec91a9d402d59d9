import { randomUUID } from 'node:crypto'
import { hostname, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Queue } from 'bullmq'
import { BACKENDS } from '../../../engine/backends/types.ts'
import { MixlabError, messageOf } from '../../../engine/errors.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { StoredRun } from '../../../engine/records/run.ts'
import type { QueuedAttempt, QueuedWork, RunQueue } from '../../cells/calls.ts'
import type { LocalHost } from '../../host.ts'
import { openRedis } from '../connect.ts'
import { type Head, unpackEntry } from '../frames.ts'
import { signOwner } from '../job.ts'
import type { Signer } from '../keys.ts'
import { aloneLook } from '../machines.ts'
import { namesOf, PREFIX, queueName, RENEW_MS } from '../names.ts'
import { type Followed, forgetRecorded, leasesOf, startFollowing, wake, whyNotBelieved } from './followed.ts'
import { readEvent, whyNotNext } from './readEvent.ts'
import { leave, openSubmission } from './submit.ts'
import { type Foreign, type Verified, verifySample } from './verify.ts'

/**
 * Milliseconds that one look at the streams waits, and between two looks at runs that another command may have, and at jobs,
 * which a server may have lost.
 */
const LOOK_MS = 200
const CLAIM_MS = 250
const TEND_MS = 2000
/** Events that are given at once, and that are held of a run until they are asked for. */
const MAX_GIVEN = 500
const MAX_HELD = 5000
/** Milliseconds in which the last jobs are taken out of the queue before it is left. */
const LEAVE_MS = 10_000

/** Why an attempt is lost that another command follows. */
const LEFT = 'another command has taken it up'

/** The types of what a run has in Redis: its frames, its objects, and what it goes on from. */
const KINDS = ['stream', 'hash', 'string']

const ENDINGS = new Set<TrainEvent['type']>(['done', 'failed'])

/** A run that waits until this command follows it, and how the store had it before. */
interface Claim {
  before: StoredRun | undefined
  settle(claimed: boolean): void
  fail(error: MixlabError): void
}

export interface OwnerSurroundings {
  address: string
  signer: Signer
  host: LocalHost
  /** What workers are told that they serve. */
  folder: string
  say(line: string): void
  /** What is to be known of a worker's canary before its runs are recorded, in words; null for nothing. */
  canary(head: Head): Promise<string | null>
  /** Called once where runs wait and no machine is there. */
  alone?(): void
}

/** The queue as its workspace has it. `close` leaves runs that are not done to their workers. */
export type OwnedQueue = RunQueue & {
  /** Trains a share of the runs again that others have trained since it was opened; see verify.ts. */
  verify(share: number, threads: number, signal: AbortSignal): Promise<Verified>
  close(): Promise<void>
}

/** Opens the queue of a workspace. Throws MixlabError `backend` where its server does not answer. */
export async function openOwnedQueue(around: OwnerSurroundings): Promise<OwnedQueue> {
  const { address, signer, host, folder, say, canary } = around
  const names = namesOf(signer.workspace)
  const redis = await openRedis(address)
  const reading = await openRedis(address)
  const queues = new Map<string, Queue>()
  const followed = new Map<string, Followed>()
  const opening = new Map<string, Promise<Followed | null>>()
  const closing = new Map<string, string>() // what is to leave the queue, by key its backend
  const leases = leasesOf(redis, names, randomUUID())
  const lapsed = new WeakSet<Followed>() // runs that another command has taken up, as after a pause of this process
  const claims = new Map<string, Claim>() // runs that wait until this command follows them
  const said = new Set<string>()
  const foreign: Foreign[] = []
  let closed = false
  const ended = Promise.withResolvers<void>()

  const queueFor = (backend: string): Queue => {
    const known = queues.get(backend)
    if (known) return known
    const queue = new Queue(queueName(signer.workspace, backend), {
      connection: redis,
      prefix: PREFIX,
      skipMetasUpdate: true,
      streams: { events: { maxLen: 100 } },
    })
    queue.on('error', () => {}) // the connection comes back
    queues.set(backend, queue)
    return queue
  }
  const submit = openSubmission({ redis, names, signer, host, queueFor })
  const owner = JSON.stringify(signOwner(`${userInfo().username}@${hostname()}:${folder}`, signer))

  const warn = (text: string) => {
    if (!said.has(text)) say(`queue: ${text}`)
    said.add(text)
  }
  async function sayOwner(): Promise<void> {
    if ((await redis.get(names.owner).catch(() => null)) !== owner) await redis.set(names.owner, owner)
  }
  const lookAround = aloneLook(redis, names, () => around.alone?.())
  const warnOf = (error: unknown) => warn(messageOf(error))

  /**
   * Waits until this command is the one that follows a run; false where that is not wanted any more. Throws MixlabError
   * `owner` where another process trains the run, or has ended it.
   */
  async function claim(key: string): Promise<boolean> {
    const [before] = await host.lookAt([key])
    if (closed) return false
    const settled = Promise.withResolvers<boolean>()
    claims.set(key, { before, settle: settled.resolve, fail: settled.reject })
    return settled.promise
  }

  /** Those of some runs that no other process has; what waits for another one hears that the other has it. */
  async function freeAmong(keys: string[]): Promise<string[]> {
    const stored = new Map((await host.lookAt(keys)).map((run) => [run.key, run]))
    return keys.filter((key) => {
      const run = stored.get(key)
      const failed = run?.status === 'failed' && !isDeepStrictEqual(run, claims.get(key)?.before)
      if (run?.status !== 'running' && run?.status !== 'done' && !failed) return true
      claims.get(key)?.fail(new MixlabError('owner', `run ${key.slice(0, 8)}`, 'another process has it'))
      claims.delete(key)
      return false
    })
  }

  /** Takes the runs that wait and that nobody has; looked at again, since who had one may have ended it meanwhile. */
  async function takeClaims(): Promise<void> {
    if (claims.size === 0) return
    const taken = await leases.take(await freeAmong([...claims.keys()]))
    const free = await freeAmong(taken)
    for (const key of taken) {
      if (free.includes(key) && claims.has(key)) claims.get(key)?.settle(true)
      else await leases.give(key)
      claims.delete(key)
    }
  }

  /** Lets others follow a run that this command follows no more. */
  async function unfollow(run: Followed): Promise<void> {
    const { key } = run.work.run
    followed.delete(key)
    opening.delete(key)
    wake(run)
    await leases.give(key)
  }

  /** Follows a run once the server takes it, which one that is full does not. */
  async function followSoon(work: QueuedWork): Promise<Followed | null> {
    while (!closed) {
      try {
        return await follow(work)
      } catch (error) {
        warnOf(error)
        await Promise.race([sleep(TEND_MS), ended.promise])
      }
    }
    return null
  }

  async function follow(work: QueuedWork): Promise<Followed> {
    const { key } = work.run
    const { backend } = work.of
    const [stored] = await host.lookAt([key])
    const { nextAttempt = 0 } = stored ?? {}
    const found = await submit.find(key, backend).catch(async (error) => {
      warn(messageOf(error))
      await submit.remove(key, backend, 'gone')
      return null
    })
    const job = found ?? (await submit.add(work, nextAttempt, stored))
    const run = startFollowing(work, job, Math.max(nextAttempt, job.base + 1))
    followed.set(key, run)
    return run
  }

  /** Puts a run into the queue anew, with higher numbers: what comes of the job that it had is refused. */
  async function again(run: Followed, why: string): Promise<void> {
    const { key } = run.work.run
    const base = Math.max(run.inbox.latest(), run.job.base, run.from)
    if (!(await submit.remove(key, run.work.of.backend, 'gone'))) return // its worker is told, and leaves it
    warn(`run ${key.slice(0, 8)} is queued anew: ${why}`)
    submit.forgetKept()
    const [stored] = await host.lookAt([key])
    const job = await submit.add(run.work, Math.max(base, stored?.nextAttempt ?? 0), stored)
    const { changed, ...anew } = startFollowing(run.work, job, job.base + 1)
    Object.assign(run, anew)
    wake(run)
  }

  async function readStreams(): Promise<void> {
    const open = [...followed.values()].filter(({ inbox, end }) => end === null && inbox.held() < MAX_HELD)
    if (open.length === 0) return void (await sleep(LOOK_MS))
    const streams = open.map(({ work }) => names.frames(work.run.key))
    const cursors = open.map(({ cursor }) => cursor)
    const answer = await reading
      .xreadBuffer('COUNT', 100, 'BLOCK', LOOK_MS, 'STREAMS', ...streams, ...cursors)
      .catch(async (error) => {
        for (const run of open) await tendRun(run).catch(warnOf) // one that is no stream would keep all others
        throw error
      })
    for (const [stream, entries] of answer ?? []) {
      const run = open[streams.indexOf(stream.toString())]
      const inbox = run?.inbox
      for (const [id, fields] of entries) if (run && run.inbox === inbox) await take(run, id.toString(), fields)
      if (run) wake(run)
    }
  }

  async function take(run: Followed, id: string, fields: Buffer[]): Promise<void> {
    if (followed.get(run.work.run.key) !== run) return
    run.cursor = id
    try {
      const frame = unpackEntry(fields)
      const doubt = frame.head && whyNotBelieved(frame.head) === null ? await canary(frame.head) : null
      if (doubt) warn(doubt)
      if (doubt && frame.head) frame.head.device += ', whose canary has other bits'
      const refused = run.inbox.take(id, frame)
      if (!refused) return
      warn(`refused: ${refused.why}`)
      if (refused.attempt) await again(run, 'what came of it is refused')
    } catch (error) {
      warn(`refused: ${messageOf(error)}`)
    }
  }

  /** Looks after jobs: a server that was killed may have lost some, and one that has ended may not have said so. */
  async function tend(): Promise<void> {
    for (const [key, backend] of closing) if (await submit.remove(key, backend, 'done')) closing.delete(key)
    for (const run of followed.values()) if (!closed) await tendRun(run).catch(warnOf)
    if ((await redis.type(names.data)) !== 'hash') await redis.del(names.data)
    if (followed.size > 0 && !(await redis.exists(names.data))) {
      submit.forgetKept() // a worker that misses one removes them all
      for (const { work } of followed.values()) await submit.keep(work)
    }
    await Promise.all([sayOwner(), followed.size > 0 && lookAround()])
  }

  /** Puts a run into the queue anew that is not there any more, or of which something there is not Mixlab's. */
  async function tendRun(run: Followed): Promise<void> {
    if (run.end !== null) return
    const { key } = run.work.run
    const keys = [names.frames(key), names.objects(key), names.resume(key)]
    const types = await Promise.all(keys.map((name) => redis.type(name)))
    const other = keys.find((_, i) => !['none', KINDS[i]].includes(types[i] ?? ''))
    if (other) return again(run, `somebody has changed ${other}`)
    const state = await queueFor(run.work.of.backend).getJobState(key)
    if (run.end !== null || followed.get(key) !== run) return
    if (state === 'unknown') await again(run, 'the server has lost it')
    else if (state === 'completed' || state === 'failed') {
      const [last] = await redis.xrevrange(names.frames(key), '+', '-', 'COUNT', 1)
      const all = !last || last[0] === run.cursor
      if (all && run.inbox.held() === 0 && run.end === null) await again(run, 'its end was lost')
    }
  }

  async function renew(): Promise<void> {
    for (const key of await leases.renew()) {
      const run = followed.get(key)
      if (!run) continue
      lapsed.add(run)
      await unfollow(run)
    }
  }

  async function loop(work: () => Promise<void>, pause: number): Promise<void> {
    while (!closed) {
      await work().catch((error) => (closed ? undefined : warn(messageOf(error))))
      if (pause > 0 && !closed) await Promise.race([sleep(pause), ended.promise])
    }
  }
  /** Removes jobs whose runs are in the store: a server that was killed may have them again. */
  async function sweep(): Promise<void> {
    for (const backend of BACKENDS) {
      const jobs = await queueFor(backend).getJobs()
      const keys = jobs.flatMap((job) => (job?.id && !followed.has(job.id) ? [job.id] : []))
      for (const { key, status } of keys.length > 0 ? await host.lookAt(keys) : []) {
        if (status !== 'done' && status !== 'failed') continue
        if ((await leases.take([key])).length === 0) continue // another command follows it
        if (!(await submit.remove(key, backend, 'done'))) closing.set(key, backend)
        await leases.give(key)
      }
    }
  }
  // what a server that is full refuses now is done later
  await sayOwner().catch(warnOf)
  await sweep().catch(warnOf)

  const loops = [loop(readStreams, 0), loop(tend, TEND_MS), loop(renew, RENEW_MS), loop(takeClaims, CLAIM_MS)]

  async function finish(run: Followed): Promise<void> {
    const { key } = run.work.run
    if (!(await submit.remove(key, run.work.of.backend, 'done'))) closing.set(key, run.work.of.backend)
    await unfollow(run)
  }

  /** See `RunQueue`: a run that another command has taken up meanwhile is waited for again. */
  async function attempt(work: QueuedWork): Promise<QueuedAttempt | null> {
    const { key } = work.run
    if (!opening.has(key) && !(await claim(key))) return null
    const known = opening.get(key) ?? followSoon(work)
    opening.set(key, known)
    const run = await known
    if (run) {
      const [stored] = await host.lookAt([key])
      run.from = Math.max(run.from, stored?.nextAttempt ?? 0) // the store refuses lower ones
      run.inbox.recorded(run.from, 0) // and nobody needs what came of these
    }
    while (run && followed.get(key) === run && !closed) {
      const found = run.inbox.attempt(run.from)
      if (found) {
        const { backend, device, environment } = found.head
        return { number: found.number, on: { backend, device, environment } }
      }
      await Promise.race([run.changed.promise, ended.promise])
    }
    return run && lapsed.has(run) && !closed ? attempt(work) : null
  }

  return {
    attempt,
    async takeBack(key) {
      claims.get(key)?.settle(false)
      claims.delete(key)
      const run = await opening.get(key)
      if (run) await finish(run)
    },
    async events(key, number, after, recorded) {
      const run = followed.get(key)
      if (!run) return closed ? null : { lost: LEFT }
      const lose = (lost: string) => {
        run.from = Math.max(run.from, number + 1)
        return { lost }
      }
      for (;;) {
        const attempt = run.inbox.attempt(run.from)
        if (!attempt || attempt.number !== number || attempt.first > after)
          return lose('its results were lost on the way')
        await forgetRecorded(redis, names, run, attempt, recorded).catch(warnOf)
        if (run.end !== null && after >= run.end) {
          foreign.push({ work: run.work, job: run.job, machine: attempt.head.machine })
          await finish(run)
          return null
        }
        const events: TrainEvent[] = []
        for (const packed of attempt.events.slice(after - attempt.first, after - attempt.first + MAX_GIVEN)) {
          const event = await readEvent(redis, names, key, packed, number, after + events.length).catch(() => null)
          const wrong = event ? await whyNotNext(event, key, host) : 'a file of it was lost'
          if (wrong && events.length > 0) return events
          if (!event || wrong) {
            await again(run, `${wrong}`).catch(warnOf)
            return lose(`${wrong}`)
          }
          events.push(event)
          if (ENDINGS.has(event.type)) run.end = after + events.length
          if (event.type === 'checkpoint') break
        }
        if (events.length > 0) return events
        if (run.inbox.latest() > number) return lose(`${attempt.head.machine} has left it`)
        if (closed) return null
        await Promise.race([run.changed.promise, ended.promise])
        if (followed.get(key) !== run && !closed) return { lost: LEFT }
      }
    },
    verify: (share, ...given) => verifySample(foreign, share, host, ...given),
    async close() {
      const over = await host.lookAt([...followed.keys()])
      for (const { key, status } of over) {
        const run = followed.get(key)
        if (run && (status === 'done' || status === 'failed')) await finish(run).catch(() => {})
      }
      await sweep().catch(() => {})
      const until = Date.now() + LEAVE_MS
      while (closing.size > 0 && Date.now() < until) {
        await tend().catch(() => {})
        if (closing.size > 0) await sleep(LOOK_MS)
      }
      closed = true
      ended.resolve()
      for (const { settle } of claims.values()) settle(false)
      await Promise.all([...followed.values()].map(unfollow))
      reading.disconnect()
      await Promise.all(loops)
      await leave(redis, [...queues.values()], names).catch(() => {})
      await Promise.all([...queues.values()].map((queue) => queue.close().catch(() => {})))
      redis.disconnect()
    },
  }
}
