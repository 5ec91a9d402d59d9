import { decode, encode } from '@msgpack/msgpack'
import { z } from 'zod'
import { count, list, plain, text } from '../../engine/call.ts'
import { MixlabError } from '../../engine/errors.ts'
import type { Environment } from '../../engine/records/environment.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import { checkValues } from '../bounded.ts'
import { type ObjectName, objectName } from './job.ts'
import { nameOf } from './objects.ts'

const head = z.strictObject({
  /** The worker, and what its runs are trained on. */
  machine: text,
  backend: text,
  device: text,
  environment: plain<Environment>(),
  protocol: count,
  mixlab: text,
  numerics: count,
  /** SHA-256 of the weights of its canary; see canary.ts. */
  canary: text,
})
/** What a worker says before the first event of an attempt. */
export type Head = z.output<typeof head>

const packed = z.strictObject({
  event: plain<TrainEvent>(),
  /** The files of the event, which are objects beside it. */
  files: z.record(text, objectName).optional(),
})
/** An event without its files. */
export type PackedEvent = z.output<typeof packed>

const frame = z.strictObject({
  run: text,
  /** That of the job. */
  nonce: text,
  attempt: count.min(1),
  /** How many events of the attempt come before these. */
  first: count,
  head: head.optional(),
  events: list(packed),
})
/** Events of an attempt at a run, as a stream carries them. The first one has a head and no events. */
export type Frame = z.output<typeof frame>

/** The field of an entry of the stream. */
export const FIELD = 'frame'

export function packFrame(given: Frame): Buffer {
  return Buffer.from(encode(given, { ignoreUndefined: true }))
}

/** Throws MixlabError `data` for what is no frame. */
export function unpackFrame(bytes: Uint8Array): Frame {
  try {
    checkValues(bytes)
    return frame.parse(decode(bytes))
  } catch {
    throw new MixlabError('data', 'frame', 'is none of this version of Mixlab')
  }
}

/** The frame of an entry of the stream, from its fields and values in turn. Throws MixlabError `data` where there is none. */
export function unpackEntry(entry: Buffer[]): Frame {
  const at = entry.findIndex((field, i) => i % 2 === 0 && field.toString() === FIELD)
  return unpackFrame(entry[at + 1] ?? Buffer.alloc(0))
}

/** Where a file of the event of such a number stands among the objects of its run. */
export const placeOf = (attempt: number, event: number): string => `${attempt}-${event}`

/** An event without its files, and these. */
export function packEvent(event: TrainEvent): {
  packed: PackedEvent
  files: { name: ObjectName; bytes: Uint8Array }[]
} {
  const entries = Object.entries(event)
  const files = entries.flatMap(([field, value]) =>
    value instanceof Uint8Array ? [{ field, name: nameOf(value), bytes: value }] : [],
  )
  if (files.length === 0) return { packed: { event }, files }
  const rest = Object.fromEntries(entries.filter(([, value]) => !(value instanceof Uint8Array)))
  const names = Object.fromEntries(files.map(({ field, name }) => [field, name]))
  return { packed: { event: rest as unknown as TrainEvent, files: names }, files }
}

/** The event as it was. Null where a file of it is not there, or another one. */
export async function unpackEvent(
  { event, files = {} }: PackedEvent,
  read: (name: ObjectName) => Promise<Uint8Array | null>,
): Promise<TrainEvent | null> {
  const found = await Promise.all(
    Object.entries(files).map(async ([field, name]) => [field, await read(name)] as const),
  )
  if (found.some(([, bytes]) => bytes === null)) return null
  return { ...event, ...Object.fromEntries(found) } as TrainEvent
}
