import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { FIELD, type Frame, type Head, type PackedEvent, packEvent, packFrame, placeOf } from '../frames.ts'
import type { Names } from '../names.ts'
import { fieldsOf, partsOf } from '../objects.ts'
import { type PlacedFile, passOn, type Resume } from '../resume.ts'
import type { Aside } from './aside.ts'

/** Milliseconds for which events are gathered, between two tries, and for which what was sent may be lost yet: the server syncs its file every second. */
const GATHER_MS = 50
const RETRY_MS = 250
const UNSURE_MS = 10_000

/** A frame with the objects that it names, what the next attempt goes on from then, and the objects that nobody needs then. */
interface Parcel {
  frame: Buffer
  objects: [field: string, bytes: Buffer][]
  resume: Resume | null
  over: string[]
}

/** The files of a checkpoint that the server has. */
interface Standing {
  place: string
  files: NonNullable<PackedEvent['files']>
}

/** Sends the events of one attempt. */
export interface Sender {
  put(event: TrainEvent): void
  /** Resolves once the server has all; not before it is back. */
  flush(): Promise<void>
  /** Sends nothing any more. */
  stop(): void
}

/**
 * Sends the events of an attempt in their order. A server that is full or away stops nothing: what it does not take is held,
 * of checkpoints the last one alone, and after a break what was sent last is sent again, since it may be lost. The server has
 * of checkpoints the newest one, too, and that with the best weights: what came before it is removed at once with its coming.
 * `resumed` is what the attempt goes on from; `aside` is told when the server is away.
 * `redis` must neither queue commands nor send them again by itself.
 */
export function createSender(
  redis: Redis,
  names: Names,
  { run, nonce, attempt }: Pick<Frame, 'run' | 'nonce' | 'attempt'>,
  head: Head,
  resumed: Resume | null = null,
  aside: Pick<Aside, 'away'> | null = null,
): Sender {
  let best: PlacedFile | undefined = resumed?.best
  let standing: Standing[] = []
  let gathered: TrainEvent[] = []
  let sent = 0
  let recent: { at: number; parcel: Parcel }[] = []
  let broken = false
  let stopped = false
  let more = Promise.withResolvers<void>()
  let empty = Promise.withResolvers<void>()
  const onClose = () => {
    broken = true
    aside?.away()
  }
  redis.on('close', onClose)

  /** Puts a checkpoint in the place of those before it, but for the best weights; returns the fields that are over. */
  function supersede(latest: Standing): string[] {
    const before = standing
    const last = latest.files.best ? undefined : before.find(({ files }) => files.best)
    const { state: _, ...stays } = last?.files ?? {}
    standing = [...(last ? [{ place: last.place, files: stays }] : []), latest]
    const kept = new Set(standing.flatMap(fieldsAt))
    return before.flatMap(fieldsAt).filter((field) => !kept.has(field))
  }

  function next(): Parcel {
    const events = gathered
    const first = sent
    gathered = []
    sent += events.length
    let resume: Resume | null = null
    let over: string[] = []
    const objects: Parcel['objects'] = []
    const packed = events.map((event, i) => {
      const place = placeOf(attempt, first + i)
      const { packed, files } = packEvent(event)
      for (const { name, bytes } of files) objects.push(...partsOf(name, bytes, place))
      if (event.type !== 'checkpoint') return packed
      const { state, best: better } = packed.files ?? {}
      if (better) best = { name: better, place }
      if (!state) return packed // the last one: the next attempt would go on from that before it
      resume = { step: event.step, state: { name: state, place }, ...(best && { best }) }
      over = supersede({ place, files: packed.files ?? {} })
      return packed
    })
    return { frame: packFrame({ run, nonce, attempt, first, events: packed }), objects, resume, over }
  }

  async function send({ frame, objects, resume, over }: Parcel): Promise<void> {
    const many = redis.multi()
    for (const [field, bytes] of objects) many.hset(names.objects(run), field, bytes)
    many.xadd(names.frames(run), '*', FIELD, frame)
    if (resume) passOn(many, names, run, attempt, resume, over)
    const answers = await many.exec()
    const failed = answers === null ? new Error('not executed') : answers.find(([error]) => error)?.[0]
    if (failed) throw failed
  }

  /** Sends a parcel, and after a break those before it once more. */
  async function deliver(parcel: Parcel): Promise<void> {
    while (!stopped) {
      try {
        if (redis.status !== 'ready') throw new Error('away')
        if (broken) {
          broken = false
          for (const each of recent) await send(each.parcel)
        }
        await send(parcel)
        break
      } catch {
        if (redis.status !== 'ready') broken = true
        aside?.away()
        await sleep(RETRY_MS)
      }
    }
    const now = performance.now()
    recent = [...recent, { at: now, parcel }].filter(({ at }) => now - at < UNSURE_MS)
  }

  async function pump(): Promise<void> {
    const frame = packFrame({ run, nonce, attempt, first: 0, head, events: [] })
    await deliver({ frame, objects: [], resume: null, over: [] })
    while (!stopped) {
      if (gathered.length === 0) {
        empty.resolve()
        await more.promise
        await sleep(GATHER_MS)
      }
      more = Promise.withResolvers()
      if (gathered.length > 0) await deliver(next())
    }
    empty.resolve()
  }
  void pump()

  return {
    put(event) {
      if (gathered.length === 0) empty = Promise.withResolvers()
      gathered = event.type === 'checkpoint' ? withLatest(gathered, event) : [...gathered, event]
      more.resolve()
    },
    flush: () => empty.promise,
    stop() {
      stopped = true
      redis.off('close', onClose)
      more.resolve()
      empty.resolve()
    },
  }
}

const fieldsAt = ({ place, files }: Standing): string[] => Object.values(files).flatMap((name) => fieldsOf(name, place))

/**
 * Events with a checkpoint behind them, which has the best weights of an earlier one where it has none. In the place of that
 * stands a step of no time, which nobody stores, so that events keep their numbers.
 */
function withLatest(events: TrainEvent[], last: Extract<TrainEvent, { type: 'checkpoint' }>): TrainEvent[] {
  const before = events.find((event) => event.type === 'checkpoint')
  if (!before) return [...events, last]
  const { best, bestStep } = { ...before, ...last }
  const merged = { ...last, ...(best && { best }), ...(bestStep !== undefined && { bestStep }) }
  return [
    ...events.map((event) => (event === before ? ({ type: 'step', step: event.step, ms: 0 } as const) : event)),
    merged,
  ]
}
