import { z } from 'zod'
import { count, list, MAX_NAME_LENGTH, plain, text } from '../../engine/call.ts'
import { designSchema } from '../../engine/records/design.ts'
import type { RecordedEvent } from '../../engine/records/events.ts'
import { readoutValue } from '../../engine/records/readout.ts'
import type { RunStart } from '../../engine/records/run.ts'
import { runStart } from '../../engine/records/store.ts'

/** What journals look like; raised where an earlier Mixlab would misread them. */
export const FORMAT = 2

/** The fields of events that are files of their own; in a journal the SHA-256 stands for the bytes. */
export const BYTES = ['weights', 'best', 'state', 'outcomes'] as const

/** An event of a journal. */
export type JournalEvent = Omit<RecordedEvent, (typeof BYTES)[number]> &
  Partial<Record<(typeof BYTES)[number], unknown>>

/** The last moment that a date of JavaScript can have, in ms since 1970. */
const LAST = 8.64e15

const sent = { at: count.max(LAST) } // ms since 1970

const numbered = runStart.refine((run): run is RunStart & { attempt: number } => run.attempt !== undefined)

const header = z.object({
  type: z.literal('journal'),
  format: count,
  /** 8 hexadecimal digits. */
  id: z.string().regex(/^[\da-f]{8}$/),
  mixlab: z.string().max(100),
  numerics: z.number(),
})

const entry = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('design'), ...sent, design: designSchema, notebook: text.optional() }),
  /** An attempt begins; `from`: it goes on where an earlier one had that many events. */
  z.strictObject({
    ...{ type: z.literal('begin'), ...sent, run: numbered },
    from: z.strictObject({ attempt: count, events: count }).nullable(),
  }),
  /** Events of the latest attempt at a run; `first` counts those before them. */
  z.strictObject({
    ...{ type: z.literal('events'), ...sent, key: text, attempt: count, first: count },
    events: list(plain<JournalEvent>()),
  }),
  z.strictObject({
    ...{ type: z.literal('readout'), ...sent, key: text, readout: readoutValue, notebook: text.optional() },
  }),
])

/** The first entry of a journal. */
export type Header = z.output<typeof header>
/** What a worker has done. */
export type Entry = z.output<typeof entry>
export type EntryOf<Type extends Entry['type']> = Extract<Entry, { type: Type }>

/** Null for what is no header of a journal. */
export const headerFrom = (value: unknown): Header | null => header.safeParse(value).data ?? null
/** Null for what is no entry of a journal. */
export const entryFrom = (value: unknown): Entry | null => entry.safeParse(value).data ?? null
/** Whether what is no entry is none for a name that is too long. */
export const hasLongName = (value: unknown): boolean =>
  entry.safeParse(value).error?.issues.some((issue) => issue.code === 'too_big' && issue.maximum === MAX_NAME_LENGTH) ??
  false
