import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as QueueJob } from 'bullmq'
import type { Redis } from 'ioredis'
import { LostPlace, MixlabError, messageOf } from '../../../engine/errors.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { dataSource, parseUsedData } from '../data.ts'
import type { Head } from '../frames.ts'
import type { Job } from '../job.ts'
import type { Machine } from '../machines.ts'
import { LOCK_MS, type Names, RENEW_MS } from '../names.ts'
import { continued, type Resumed, takeUp } from '../resume.ts'
import { type Inputs, OWN, type Slot } from '../slot.ts'
import { openAside } from './aside.ts'
import type { Cache } from './cache.ts'
import { createSender } from './sender.ts'

/** A run that a worker has. */
export type WorkingRun = Machine['runs'][number] & { stop: AbortController }

/** An attempt of a worker at a run. */
export interface WorkedAttempt {
  given: QueueJob
  job: Job
  working: WorkingRun
  /** Ends it at once. */
  signal: AbortSignal
  redis: Redis
  sending: Redis
  names: Names
  head: Head
  cache: Cache
  /** Where attempts are kept aside that the queue has not. */
  journals: string
  say(line: string): void
  open(): Promise<Slot>
  /** Takes back a slot that can train more. */
  keep(slot: Slot): void
}

/**
 * Trains a run and sends what happens, as long as its lock holds; a lock that is lost ends it at once. Returns how it ended,
 * in words, once the queue has it all. Throws LostPlace where its process ended, and MixlabError where it cannot begin.
 */
export async function trainAttempt(attempt: WorkedAttempt): Promise<string> {
  const { given, job, working, sending, names, head, say } = attempt
  const { id: run = '', token = '' } = given
  const lost = new AbortController()
  const signal = AbortSignal.any([attempt.signal, lost.signal])
  const stopped = new Promise<null>((stop) => {
    if (signal.aborted) stop(null)
    signal.addEventListener('abort', () => stop(null), { once: true })
  })
  let over = false
  const renewing = renewLock() // a large state takes longer than its lock
  // what cannot be read its workspace removes; until then the run begins anew
  const resumed = await takeUp(attempt.redis, names, run, working.attempt).catch(() => null)
  const { backend, device, environment } = head
  const started = { ...job.run, backend, device, environment, attempt: working.attempt }
  const aside = openAside(attempt.journals, started, resumed && continued(resumed.state), say)
  const sender = createSender(sending, names, { run, nonce: job.nonce, attempt: working.attempt }, head, resumed, aside)

  function put(event: TrainEvent): void {
    aside.put(event)
    sender.put(event)
  }

  async function renewLock(): Promise<void> {
    while (!over && !signal.aborted) {
      await Promise.race([sleep(RENEW_MS), stopped])
      if (over || signal.aborted) return
      // an error says nothing of the lock: the next answer does
      if (!(await holdLock(attempt.redis, given).catch(() => true))) lost.abort()
    }
  }

  async function trainIt(slot: Slot): Promise<'done' | 'failed'> {
    const inputs = await inputsOf(attempt, resumed, signal)
    const events = slot.train(job, inputs, signal)
    let since = { at: performance.now(), step: 0 }
    try {
      for (;;) {
        const next = await Promise.race([events.next(), stopped])
        if (next === null) throw new LostPlace(String(signal.reason))
        if (next.done) throw new LostPlace('it ended without a result')
        const event = next.value
        put(event)
        if (event.type === 'start') {
          Object.assign(working, { steps: event.steps, step: event.resumedAt ?? 0 })
          since = { at: performance.now(), step: working.step }
        } else working.step = event.step
        if (event.type === 'done' || event.type === 'failed') return event.type
        const seconds = (performance.now() - since.at) / 1000
        if (seconds < 1) continue
        working.stepsPerSecond = (working.step - since.step) / seconds
        since = { at: performance.now(), step: working.step }
      }
    } catch (error) {
      if (error instanceof LostPlace || !(error instanceof MixlabError) || error.code !== 'notebook') throw error
      put({ type: 'failed', step: 0, message: messageOf(error) }) // it fails everywhere
      return 'failed'
    }
  }

  let slot: Slot | null = null
  let whole = false
  let isThere = false // with the queue, or of use to nobody
  try {
    slot = await attempt.open()
    const ended = await trainIt(slot)
    await Promise.race([sender.flush(), stopped])
    if (signal.aborted) throw new LostPlace(String(signal.reason))
    await Promise.race([given.moveToCompleted(ended, token, false), stopped])
    isThere = true
    whole = true
    return ended
  } catch (error) {
    isThere = lost.signal.aborted
    if (isThere) return 'its lock was lost; the next one goes on from its last checkpoint'
    // what was trained is of use to the next one
    isThere = await Promise.race([sender.flush().then(() => true), sleep(RENEW_MS, false)])
    if (attempt.signal.reason !== 'done' && attempt.signal.reason !== 'gone') throw error
    isThere = true
    await given.moveToCompleted('cancelled', token, false).catch(() => {})
    return 'is not wanted any more'
  } finally {
    over = true
    sender.stop()
    const left = aside.close(!isThere)
    if (left) say(`${run.slice(0, 8)}: what the queue has not of it is in ${left}; 'mixlab import' takes it`)
    await Promise.race([renewing, sleep(0)])
    if (slot && whole) attempt.keep(slot)
    else slot?.close()
  }
}

/** What a run is trained from, out of the queue. */
async function inputsOf(
  { job, redis, names, cache }: WorkedAttempt,
  resumed: Resumed | null,
  signal: AbortSignal,
): Promise<Inputs> {
  const get = (name: Job['notebook']) => cache(redis, names, name, signal)
  const used = parseUsedData(await get(job.files))
  const { state = null, best = null } = resumed?.bytes ?? {}
  const weightsOf = (id: number, which: unknown) => {
    if (id === OWN && which === 'best' && best) return best
    const found = job.before.find(({ run }) => run.id === id)
    const name = which === 'best' ? found?.best : found?.last
    if (!name) throw new MixlabError('store', `run ${id}`, 'its weights did not come with the job')
    return get(name)
  }
  return {
    ...dataSource(used, get),
    findDone: async (keys) => job.before.map(({ run }) => run).filter(({ key }) => keys.includes(key)),
    readWeights: async (id, which) => weightsOf(id, which),
    readState: async () => state,
  }
}

/**
 * Takes a lock that ran out while the server was away, unless somebody has taken the run since; a server that has lost its
 * last second may have given the same number to another worker, whose name stands there then.
 */
const TAKE_AGAIN = `
if redis.call('hget', KEYS[1], 'ats') == ARGV[1]
  and (redis.call('hget', KEYS[1], 'pb') or '') == ARGV[5]
  and redis.call('lpos', KEYS[2], ARGV[2])
  and redis.call('set', KEYS[1] .. ':lock', ARGV[3], 'PX', ARGV[4], 'NX') then return 1 end
return 0`

/**
 * Whether a worker still holds the lock of a run, for the next LOCK_MS. One that ran out is taken again where nobody else has
 * the run: what a worker trained while the server was away counts. Throws where the server does not say.
 */
export async function holdLock(redis: Redis, job: QueueJob): Promise<boolean> {
  const { id = '', token = '', queueQualifiedName: queue, attemptsStarted, processedBy = '' } = job
  if ((await job.extendLock(token, LOCK_MS)) === 1) return true
  const keys = [`${queue}:${id}`, `${queue}:active`]
  const taken = await redis.eval(
    TAKE_AGAIN,
    keys.length,
    ...keys,
    String(attemptsStarted),
    id,
    token,
    LOCK_MS,
    processedBy,
  )
  return taken === 1
}
