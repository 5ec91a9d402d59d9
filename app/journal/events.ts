import type { RecordedEvent, TrainEvent } from '../../engine/records/events.ts'
import { BYTES, type JournalEvent } from './entry.ts'

type Checkpoint = Extract<TrainEvent, { type: 'checkpoint' }>

/** An event for a journal: what it has as bytes is kept as a file, by `keep`, which returns the SHA-256. */
export function toJournal(event: RecordedEvent, keep: (bytes: Uint8Array) => string): JournalEvent {
  const files = BYTES.flatMap((name) => {
    const bytes = (event as JournalEvent)[name]
    return bytes instanceof Uint8Array ? [[name, keep(bytes)]] : []
  })
  return { ...event, ...Object.fromEntries(files) }
}

/**
 * Events of a journal with the bytes of their files. Where `read` has none of one of them: null, or without that event of an
 * attempt that is `superseded` by a later one, whose files have taken the place of its own.
 */
export function fromJournal(
  events: readonly JournalEvent[],
  read: (hash: string, field: (typeof BYTES)[number]) => Uint8Array | null,
  superseded: boolean,
): RecordedEvent[] | null {
  const found = events.map((event) => {
    const files = BYTES.flatMap((name) => {
      const hash = event[name]
      return typeof hash === 'string' ? [[name, read(hash, name)] as const] : []
    })
    if (files.every(([, bytes]) => bytes !== null)) return { ...event, ...Object.fromEntries(files) } as RecordedEvent
    return superseded ? (replaced(event) as RecordedEvent) : null
  })
  return found.includes(null) ? null : (found as RecordedEvent[])
}

/**
 * The same events, where the last checkpoint has what is left of those before it: their files were replaced, and are gone.
 * What has ended for good goes on from no state.
 */
export function withLastCheckpoint(events: readonly JournalEvent[]): JournalEvent[] {
  const isCheckpoint = (event: JournalEvent) => event.type === 'checkpoint'
  const all = events.filter(isCheckpoint) as Partial<Checkpoint>[]
  const last = all.at(-1)
  if (!last) return [...events]
  const ended = events.some(({ type }) => type === 'done' || type === 'failed')
  const best = all.findLast((each) => each.best !== undefined)
  const state = ended ? undefined : all.findLast((each) => each.state !== undefined)?.state
  const { state: _, ...rest } = last
  const joined = {
    ...rest,
    ...(best && { best: best.best, bestStep: best.bestStep ?? best.step }),
    ...(state && { state }),
  } as JournalEvent
  return events.map((event) => (event === last ? joined : isCheckpoint(event) ? replaced(event) : event))
}

/** What stands for an event whose files are gone, so that events keep their numbers. */
function replaced(event: JournalEvent): JournalEvent {
  const { step } = event as Partial<Checkpoint>
  return { type: 'warning', step, message: 'its files were replaced by later ones' } as JournalEvent
}
