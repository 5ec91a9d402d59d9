import type { Redis } from 'ioredis'
import type { QueuedWork } from '../../cells/calls.ts'
import { type Head, placeOf } from '../frames.ts'
import { type Job, otherVersions } from '../job.ts'
import { FOLLOWER_MS, type Names } from '../names.ts'
import { fieldsOf } from '../objects.ts'
import { readResume } from '../resume.ts'
import { createInbox, type Inbox, type IncomingAttempt } from './inbox.ts'

/** A run in the queue. */
export interface Followed {
  work: QueuedWork
  job: Job
  inbox: Inbox
  /** The last entry of its stream that was read. */
  cursor: string
  /** Attempts with lower numbers are over. */
  from: number
  /** So many events of the attempt are there with its end; null before that. */
  end: number | null
  /** Files of recorded events that are still there, by their fields: a state stays until there is a later one. */
  spent: Set<string>
  changed: PromiseWithResolvers<void>
}

/** A run whose job was just put into the queue, or found there; attempts below `from` are over. */
export function startFollowing(work: QueuedWork, job: Job, from: number): Followed {
  return {
    ...{ work, job, inbox: createInbox(work.run.key, job.nonce, whyNotBelieved), cursor: '0-0' },
    ...{ from, end: null, spent: new Set(), changed: Promise.withResolvers() },
  }
}

/** Why a worker is not believed: its versions are not ours, or not those of its runs. Null where it is. */
export function whyNotBelieved(head: Head): string | null {
  const other = otherVersions(head)
  if (other) return `it is of ${other}`
  const { mixlab, numerics } = head.environment
  return mixlab === head.mixlab && numerics === head.numerics
    ? null
    : 'it says of its runs that another version trains them'
}

/** Lets those go on who wait for something to come of a run. */
export function wake(run: Followed): void {
  run.changed.resolve()
  run.changed = Promise.withResolvers()
}

/** Removes what is recorded; the last state stays, since the next attempt may need it. */
export async function forgetRecorded(
  redis: Redis,
  names: Names,
  run: Followed,
  attempt: IncomingAttempt,
  recorded: number,
): Promise<void> {
  const { key } = run.work.run
  const recordedFields = attempt.events.slice(0, Math.max(0, recorded - attempt.first)).flatMap(({ files = {} }, i) => {
    const place = placeOf(attempt.number, attempt.first + i)
    return Object.values(files).flatMap((name) => fieldsOf(name, place))
  })
  const entries = run.inbox.recorded(attempt.number, recorded)
  for (const field of recordedFields) run.spent.add(field)
  if (entries.length > 0) await redis.xdel(names.frames(key), ...entries)
  if (recordedFields.length === 0) return
  const resume = await readResume(redis, names, key)
  const files = [resume?.state, resume?.best]
  const kept = new Set(files.flatMap((file) => (file ? fieldsOf(file.name, file.place) : [])))
  const over = [...run.spent].filter((field) => !kept.has(field))
  if (over.length > 0) await redis.hdel(names.objects(key), ...over)
  run.spent = new Set([...run.spent].filter((field) => kept.has(field)))
}

/** KEYS[1] is free or ours, and ours for a while more. What does not expire with who follows is nobody's word. */
const TAKE = `
local by = redis.pcall('get', KEYS[1])
if by ~= ARGV[1] and redis.call('pttl', KEYS[1]) > 0 then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`
const GIVE = `if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end`

/**
 * Which runs a command follows: of several with the same run one alone reads and removes what comes of it, and the others
 * wait until the store has it.
 */
export function leasesOf(redis: Redis, names: Names, command: string) {
  const held = new Set<string>()
  /** Those among some runs that are this command's, for FOLLOWER_MS more. */
  async function take(runs: string[]): Promise<string[]> {
    const many = redis.pipeline()
    for (const run of runs) many.eval(TAKE, 1, names.follower(run), command, FOLLOWER_MS)
    const answers = (await many.exec()) ?? []
    const own = runs.filter((run, i) => {
      const [error, taken] = answers[i] ?? []
      return error ? held.has(run) : taken === 1 // a server that is full does not say
    })
    for (const run of own) held.add(run)
    return own
  }
  return {
    take,
    /** Leaves a run to others; where the server does not hear it, it expires. */
    async give(run: string): Promise<void> {
      held.delete(run)
      await redis.eval(GIVE, 1, names.follower(run), command).catch(() => {})
    },
    /** Keeps all of them; returns those that another command has taken. */
    async renew(): Promise<string[]> {
      const runs = [...held]
      const own = new Set(await take(runs))
      return runs.filter((run) => !own.has(run) && held.delete(run))
    },
  }
}
