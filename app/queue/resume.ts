import type { Redis } from 'ioredis'
import { z } from 'zod'
import { count, text } from '../../engine/call.ts'
import { objectName } from './job.ts'
import type { Names } from './names.ts'
import { getObject } from './objects.ts'

const file = z.strictObject({ name: objectName, place: text })
const resume = z.strictObject({ step: count, state: file, best: file.optional() })
/** From where the next attempt at a run goes on: its state, and the best weights of that time, objects of the run. */
export type Resume = z.output<typeof resume>
/** An object of a run, and its place there. */
export type PlacedFile = z.output<typeof file>

/** What a state continues: so many events of an attempt. Null for one that the store had. */
export function continued({ state }: Resume): { attempt: number; events: number } | null {
  const [, attempt, event] = /^(\d+)-(\d+)$/.exec(state.place) ?? []
  return attempt && event ? { attempt: Number(attempt), events: Number(event) + 1 } : null
}

export async function readResume(redis: Redis, names: Names, run: string): Promise<Resume | null> {
  const found = await redis.get(names.resume(run))
  return found === null ? null : (resume.safeParse(JSON.parse(found)).data ?? null)
}

/** The bytes of an object of a run; null where it is not there. */
export async function readPlaced(
  redis: Redis,
  names: Names,
  run: string,
  file?: PlacedFile,
): Promise<Uint8Array | null> {
  return file ? getObject(redis, names.objects(run), file.name, file.place) : null
}
