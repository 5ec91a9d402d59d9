import { availableParallelism, freemem, hostname, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job as QueueJob, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import type { BackendInfo } from '../../../engine/backends/types.ts'
import { LostPlace, MixlabError, messageOf } from '../../../engine/errors.ts'
import { environmentOn } from '../../../engine/records/environment.ts'
import { valueOfJson } from '../../bounded.ts'
import { machineWith } from '../../machine.ts'
import { shownAddress } from '../address.ts'
import { openRedis, openSending } from '../connect.ts'
import type { Head } from '../frames.ts'
import { type Owner, openJob, openOwner, otherVersions, ownVersions } from '../job.ts'
import type { PublicKey } from '../keys.ts'
import { BEAT_MS, beat, leaveMachines, type Machine } from '../machines.ts'
import { LOCK_MS, namesOf, PREFIX, queueName, STALLED_CHECK_MS } from '../names.ts'
import { openSlot, type Slot, slotName } from '../slot.ts'
import type { Cache } from './cache.ts'
import { trainAttempt, type WorkingRun } from './trainAttempt.ts'

export interface WorkerOptions {
  address: string
  key: PublicKey
  /** Names it among the workers of its queue. */
  id: string
  /** What it trains on. */
  on: BackendInfo
  /** Runs at the same time, and threads of each. */
  jobs: number
  threads: number
  cache: Cache
  /** A folder for attempts that the queue has not. */
  journals: string
  /** Trains its canary and returns the SHA-256 of that; see canary.ts. */
  canary(): Promise<string>
  say(line: string): void
  /** Leaves after the runs that it has, or at once. */
  stop: AbortSignal
  end: AbortSignal
}

/** Milliseconds until the queue is asked again after an error. */
const RETRY_MS = 500
/** A worker that cannot begin so many runs, one after the other, leaves them to others. */
const MAX_HANDED_BACK = 5

/** Waits for what a server is told, but not longer than one that is there takes. */
const withinReach = (told: Promise<unknown>) => Promise.race([told.catch(() => {}), sleep(2 * BEAT_MS)])

/**
 * Trains runs of a workspace until it is told to leave. Throws MixlabError `backend` where the queue does not answer at
 * first, and where it is of another version of Mixlab, which it names.
 */
export async function work(options: WorkerOptions): Promise<void> {
  const redis = await openRedis(options.address)
  try {
    await checkOwner(options, redis)
    await workWith(options, redis, await options.canary())
  } finally {
    redis.disconnect()
  }
}

/** Says whose queue it is. Throws MixlabError `backend` for one of another version. */
async function checkOwner({ address, key, on, jobs, threads, say }: WorkerOptions, redis: Redis): Promise<void> {
  const found = await redis.get(namesOf(key.workspace).owner).catch(() => '') // of another type: somebody else's
  const owner = found === null ? null : ownerIn(found, key, say)
  if (owner === null) {
    say(`serves key ${key.text} at ${shownAddress(address)}; its workspace has put nothing into the queue yet`)
    return
  }
  const other = otherVersions(owner)
  if (other) throw new MixlabError('backend', 'queue', `is of ${other}`)
  say(`serves ${owner.name} at ${shownAddress(address)}, ${jobs} at a time with ${threads} threads each on ${on.name}`)
}

/** Whose queue it is; null where somebody else has written that, which no job of theirs profits from: each is signed. */
function ownerIn(text: string, key: PublicKey, say: (line: string) => void): Owner | null {
  try {
    return openOwner(valueOfJson(text), key)
  } catch (error) {
    say(messageOf(error))
    return null
  }
}

async function workWith(options: WorkerOptions, redis: Redis, canary: string): Promise<void> {
  const { key, id, on, jobs, threads, say } = options
  const names = namesOf(key.workspace)
  const sending = openSending(redis)
  const [stop, end] = [new AbortController(), new AbortController()]
  const leave = () => stop.abort()
  const leaveNow = () => {
    stop.abort()
    end.abort()
  }
  options.stop.addEventListener('abort', leave)
  options.end.addEventListener('abort', leaveNow)
  if (options.stop.aborted) leave() // while its canary was trained
  if (options.end.aborted) leaveNow()
  const runs = new Map<string, WorkingRun>()
  const slots: Slot[] = []
  let paused = false
  let ended = false
  const over = Promise.withResolvers<void>()
  let refused: MixlabError | null = null
  let handedBack = 0 // since it could train one

  const environment = environmentOn(machineWith(threads))
  const head: Head = {
    ...{ machine: id, backend: on.name, device: `${on.device}, ${hostname()}`, environment, canary },
    ...ownVersions,
  }
  const since = Date.now()
  const described = (): Machine => ({
    ...{ id, host: hostname(), mixlab: ownVersions.mixlab, backend: on.name, device: on.device, jobs, threads },
    ...{ cores: availableParallelism(), memory: totalmem(), used: process.memoryUsage().rss, free: freemem(), since },
    state: stop.signal.aborted ? 'leaves' : paused ? 'pauses' : 'works',
    runs: [...runs.values()].map(({ stop: _, ...run }) => run),
  })

  /** Says that this lives, and does what it is told: by its name, and of runs that are to end. */
  async function live(): Promise<void> {
    while (!ended) {
      await Promise.race([sayAndHear(), over.promise]).catch(() => {}) // one at a time, while the server is away, too
      await Promise.race([sleep(BEAT_MS), over.promise])
    }
  }
  async function sayAndHear(): Promise<void> {
    const order = await beat(redis, names, described())
    paused = order === 'pause'
    if (order === 'stop') leave()
    if (order === 'remove') leaveNow()
    if (runs.size === 0) return
    const keys = [...runs.keys()]
    const cancelled = await redis.hmget(names.cancelled, ...keys)
    for (const [i, why] of cancelled.entries()) if (why) runs.get(keys[i] as string)?.stop.abort(why)
  }

  const worker = new Worker(queueName(key.workspace, on.name), null, {
    connection: redis,
    prefix: PREFIX,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: 1_000_000,
    drainDelay: 2,
    name: id,
  })
  worker.on('error', () => {}) // the connection comes back

  /** A slot for a job: one that is free and has its notebook, or a new one. */
  async function slotFor(job: Parameters<typeof openSlot>[0], signal: AbortSignal): Promise<Slot> {
    const at = slots.findIndex((slot) => slot.of === slotName(job))
    const found = at < 0 ? undefined : slots.splice(at, 1)[0]
    if (found) return found
    for (const slot of slots.splice(0, Math.max(0, slots.length + runs.size - jobs))) slot.close()
    const notebook = await options.cache(redis, names, job.notebook, signal)
    return openSlot(job, new TextDecoder().decode(notebook), threads, say)
  }

  async function take(given: QueueJob): Promise<void> {
    const { id: run = '', token = '' } = given
    const name = `${run.slice(0, 8)}`
    try {
      const job = openJob(given.data, run, key)
      const other = otherVersions(job)
      if (other) {
        refused = new MixlabError('backend', 'queue', `is of ${other}`)
        await withinReach(given.moveToWait(token))
        return leave()
      }
      const stopRun = new AbortController()
      const attempt = job.base + given.attemptsStarted
      const { study, variant, seed } = job.run
      const working: WorkingRun = {
        ...{ key: run, study, variant, seed, attempt },
        ...{ step: 0, steps: 0, stepsPerSecond: 0, stop: stopRun },
      }
      runs.set(run, working)
      const signal = AbortSignal.any([end.signal, stopRun.signal])
      say(`${study}: ${variant}, seed ${seed} (${name}, attempt ${attempt})`)
      const outcome = await trainAttempt({
        ...{ given, job, working, signal, redis, sending, names, head, say },
        ...{ cache: options.cache, journals: options.journals },
        open: () => slotFor(job, signal),
        keep: (slot) => void slots.push(slot),
      })
      say(`${study}: ${variant}, seed ${seed} (${name}): ${outcome}`)
      handedBack = 0
    } catch (error) {
      if (error instanceof MixlabError && error.code === 'permission') {
        say(`refused: ${error.message}`)
        await given.moveToFailed(error, token).catch(() => {})
        await given.remove().catch(() => {})
        return
      }
      const why = error instanceof LostPlace ? `its process ended: ${error.message}` : messageOf(error)
      if (!end.signal.aborted) say(`${name}: ${why}; handed back`)
      await withinReach(given.moveToWait(token)) // or its lock runs out
      handedBack += error instanceof LostPlace ? 0 : 1 // of a process that ends its workspace says when it is enough
      if (handedBack >= MAX_HANDED_BACK) {
        refused = new MixlabError('backend', 'work', `${handedBack} runs in turn could not begin here: ${why}`)
        leave()
      }
      if (!end.signal.aborted) await sleep(RETRY_MS)
    } finally {
      runs.delete(run)
    }
  }

  const living = live()
  const taking = new Set<Promise<void>>()
  try {
    await worker.startStalledCheckTimer()
    stop.signal.addEventListener('abort', () => void (taking.size === 0 && worker.close(true)), { once: true })
    while (!stop.signal.aborted) {
      if (taking.size >= jobs || paused) {
        await Promise.race([...taking, sleep(BEAT_MS)])
        continue
      }
      const stopped = new Promise<undefined>((resolve) =>
        stop.signal.addEventListener('abort', () => resolve(undefined), { once: true }),
      )
      const next = worker.getNextJob(`${id}:${Math.random()}`).catch(() => sleep(RETRY_MS, undefined))
      const job = await Promise.race([next, stopped])
      if (job) {
        const taken = take(job)
        taking.add(taken)
        void taken.finally(() => taking.delete(taken))
      } else if (stop.signal.aborted) {
        const late = await Promise.race([next, sleep(RETRY_MS, undefined)])
        if (late) await late.moveToWait(late.token).catch(() => {})
      }
    }
    if (taking.size > 0 && !end.signal.aborted)
      say(
        `leaves after ${taking.size === 1 ? 'this run' : `these ${taking.size} runs`}; Ctrl-C again hands back at once`,
      )
    await Promise.all(taking)
    if (refused) throw refused
  } finally {
    ended = true
    over.resolve()
    for (const slot of slots) slot.close()
    options.stop.removeEventListener('abort', leave)
    options.end.removeEventListener('abort', leaveNow)
    await withinReach(
      leaveMachines(redis, names, id)
        .catch(() => {})
        .then(() => worker.close(true)),
    )
    await living
    sending.disconnect()
  }
}
