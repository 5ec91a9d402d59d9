import type { ChainableCommander, Redis } from 'ioredis'
import { z } from 'zod'
import { count, text } from '../../engine/call.ts'
import { valueOfJson } from '../bounded.ts'
import { objectName } from './job.ts'
import type { Names } from './names.ts'
import { getObject } from './objects.ts'

const file = z.strictObject({ name: objectName, place: text })
const resume = z.strictObject({ step: count, state: file, best: file.optional() })
/** From where the next attempt at a run goes on: its state, and the best weights of that time, objects of the run. */
export type Resume = z.output<typeof resume>
/** An object of a run, and its place there. */
export type PlacedFile = z.output<typeof file>

/** What a file came with: so many events of an attempt. Null for one that the store had. */
export function continued({ place }: PlacedFile): { attempt: number; events: number } | null {
  const [, attempt, event] = /^(\d+)-(\d+)$/.exec(place) ?? []
  return attempt && event ? { attempt: Number(attempt), events: Number(event) + 1 } : null
}

/** Whether a file came later than the event of such a number. */
export function isLater(file: PlacedFile | undefined, attempt: number, event: number): boolean {
  const from = file && continued(file)
  return !!from && (from.attempt > attempt || (from.attempt === attempt && from.events > event + 1))
}

/** What an attempt may change: one that another has followed would remove what that goes on from. */
const PASS_ON = `
if tonumber(redis.call('hget', KEYS[1], 'attempt') or '0') > tonumber(ARGV[1]) then return 0 end
redis.call('hset', KEYS[1], 'attempt', ARGV[1])
if ARGV[2] then redis.call('set', KEYS[2], ARGV[2]) end
if ARGV[3] then redis.call('hdel', KEYS[1], unpack(ARGV, 3)) end
return 1`

/** Adds to what is done at once that the next attempt goes on from `resume`, and that `over`, fields of objects, are removed. */
export function passOn(
  many: ChainableCommander,
  names: Names,
  run: string,
  attempt: number,
  resume: Resume,
  over: readonly string[],
): void {
  many.eval(PASS_ON, 2, names.objects(run), names.resume(run), attempt, JSON.stringify(resume), ...over)
}

export async function readResume(redis: Redis, names: Names, run: string): Promise<Resume | null> {
  const found = await redis.get(names.resume(run))
  return found === null ? null : (resume.safeParse(valueOfJson(found)).data ?? null)
}

/** What an attempt goes on from, with its files. */
export interface Resumed extends Resume {
  bytes: { state: Uint8Array; best: Uint8Array | null }
}

/**
 * Takes a run up, so that what earlier attempts do from here on leaves its files alone. Returns what the attempt goes on from;
 * null where there is nothing, or a file of it is not there.
 */
export async function takeUp(redis: Redis, names: Names, run: string, attempt: number): Promise<Resumed | null> {
  // a server that is full hears it with the first checkpoint
  await redis.eval(PASS_ON, 2, names.objects(run), names.resume(run), attempt).catch(() => 0)
  const found = await readResume(redis, names, run)
  if (!found) return null
  const read = ({ name, place }: PlacedFile) => getObject(redis, names.objects(run), name, place)
  const [state, best] = await Promise.all([read(found.state), found.best ? read(found.best) : null])
  return state && (best || !found.best) ? { ...found, bytes: { state, best } } : null
}
