import { MixlabError } from '../../engine/errors.ts'
import type { RecordedEvent } from '../../engine/records/events.ts'
import { checkSafetensors } from '../../engine/weights/safetensors.ts'

/** What one cell may make the store keep: runs, and bytes of all of them together. */
export const QUOTA = { runs: 10_000, bytes: 64 * 2 ** 30 }

/** Bytes of a point beside its name: step and value. */
const POINT = 16

/** What the runs of a capability have used up of its quota. */
export interface Usage {
  /** Throws MixlabError `permission` where a run more is too many. */
  addRun(): void
  /** Throws MixlabError `permission` where the store would keep too much with what is said of runs, as JSON. */
  addText(said: unknown): void
  /**
   * Throws MixlabError `permission` where the store would keep too much with these events of a run, and `weights` for
   * files that are no safetensors, before any of them counts.
   */
  addEvents(run: number, events: RecordedEvent[]): void
}

/** A quota of which nothing is used yet. */
export function openUsage(quota: typeof QUOTA): Usage {
  let runs = 0
  /** Bytes of what is added to what there is. */
  let added = 0
  /** Bytes of what takes the place of what was there, by run and kind. */
  const kept = new Map<string, number>()

  function add(bytes: number): void {
    if (added + bytes > quota.bytes) {
      throw new MixlabError('permission', 'runs', `those of one cell would keep more than ${quota.bytes} bytes`)
    }
    added += bytes
  }

  return {
    addText: (said) => add(JSON.stringify(said).length),
    addRun() {
      if (runs >= quota.runs) throw new MixlabError('permission', 'runs', `more than ${quota.runs} of one cell`)
      runs++
    },
    addEvents(run, events) {
      const files = events.flatMap((event) => filesOf(run, event))
      for (const { name, bytes } of files) checkSafetensors(bytes, name)
      const grown = files.reduce((sum, { name, bytes }) => sum + bytes.length - (kept.get(name) ?? 0), 0)
      add(events.reduce((sum, event) => sum + sizeOf(event), grown))
      for (const { name, bytes } of files) kept.set(name, bytes.length)
    },
  }
}

/** The files of an event, each with the name of its place: a later one of a name replaces it. */
function filesOf(run: number, event: RecordedEvent): { name: string; bytes: Uint8Array }[] {
  if (event.type === 'snapshot') return [{ name: `run ${run}, snapshot ${event.step}`, bytes: event.weights }]
  if (event.type !== 'checkpoint') return []
  const { weights, best, state } = event
  return Object.entries({ weights, best, state }).flatMap(([kind, bytes]) =>
    bytes ? [{ name: `run ${run}, ${kind}`, bytes }] : [],
  )
}

/** Bytes that an event adds beside its files. */
function sizeOf(event: RecordedEvent): number {
  switch (event.type) {
    case 'metric':
      return POINT + event.name.length
    case 'points':
      return event.series.reduce((sum, { name, values }) => sum + POINT * values.length + name.length, 0)
    case 'failed':
      return event.message.length
    case 'report':
      return JSON.stringify(event.report).length
    case 'outcomes':
      return event.outcomes.length
    case 'histograms':
      return JSON.stringify([event.weights, event.gradients]).length
    default:
      return 0
  }
}
