import type { Redis } from 'ioredis'
import { checkArguments } from '../../../engine/call.ts'
import { messageOf } from '../../../engine/errors.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { runCalls } from '../../../engine/records/store.ts'
import type { LocalHost } from '../../host.ts'
import { type PackedEvent, placeOf, unpackEvent } from '../frames.ts'
import type { ObjectName } from '../job.ts'
import type { Names } from '../names.ts'
import { getObject } from '../objects.ts'
import { isLater, readResume } from '../resume.ts'

/**
 * The event of such a number of an attempt, with its files. Of a checkpoint that a later one has replaced (sender.ts) there are
 * the weights where they are still the best, and else a step of no time, which nobody stores, so that events keep their
 * numbers. Null where a file was lost.
 */
export async function readEvent(
  redis: Redis,
  names: Names,
  run: string,
  packed: PackedEvent,
  attempt: number,
  number: number,
): Promise<TrainEvent | null> {
  const place = placeOf(attempt, number)
  const read = (name: ObjectName) => getObject(redis, names.objects(run), name, place)
  const whole = await unpackEvent(packed, read)
  const { event, files = {} } = packed
  if (whole || event.type !== 'checkpoint') return whole
  const resume = await readResume(redis, names, run) // set at once with what was removed
  if (!isLater(resume?.state, attempt, number)) return null
  const { state: _, ...weights } = files
  if (weights.best && !isLater(resume?.best, attempt, number)) return unpackEvent({ event, files: weights }, read)
  return { type: 'step', step: event.step, ms: 0 }
}

/** Why the store would not take an event of its run, in words; null where it does. */
export async function whyNotNext(
  event: TrainEvent,
  run: string,
  host: Pick<LocalHost, 'lookAt'>,
): Promise<string | null> {
  try {
    checkArguments(runCalls, 'record', [0, [event]])
  } catch (error) {
    return `an event of it is none: ${messageOf(error)}`
  }
  if (event.type !== 'start' || !event.resumedAt) return null
  const [stored] = await host.lookAt([run])
  return event.resumedAt > (stored?.step ?? 0) ? `it goes on from step ${event.resumedAt}, which has not come` : null
}
