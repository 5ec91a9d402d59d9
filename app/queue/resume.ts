import type { Redis } from 'ioredis'
import { z } from 'zod'
import { count, text } from '../../engine/call.ts'
import { objectName } from './job.ts'
import type { Names } from './names.ts'
import { getObject } from './objects.ts'

const resume = z.strictObject({ state: objectName, place: text, step: count })
/** From where the next attempt at a run goes on: its state, an object of the run. */
export type Resume = z.output<typeof resume>

export async function readResume(redis: Redis, names: Names, run: string): Promise<Resume | null> {
  const found = await redis.get(names.resume(run))
  return found === null ? null : (resume.safeParse(JSON.parse(found)).data ?? null)
}

/** The state from which a run goes on; null for its beginning. */
export async function readState(redis: Redis, names: Names, run: string): Promise<Uint8Array | null> {
  const found = await readResume(redis, names, run)
  return found && getObject(redis, names.objects(run), found.state, found.place)
}
