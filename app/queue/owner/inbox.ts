import type { Frame, Head, PackedEvent } from '../frames.ts'

/** An attempt at a run as it comes out of the queue. */
export interface IncomingAttempt {
  number: number
  head: Head
  /** The number of the first event that is held. */
  first: number
  events: PackedEvent[]
  /** Entries of the stream, each with the number of events up to its end. */
  entries: { id: string; end: number }[]
}

/** Why a frame is refused, in words. With `attempt` nothing of its attempt is taken any more: the run needs another one. */
export interface Refusal {
  why: string
  attempt: boolean
}

/** What has come of a run and was not taken yet. */
export interface Inbox {
  /** Takes a frame; returns why it is refused, null where it is not. One that was sent twice counts once, in silence. */
  take(id: string, frame: Frame): Refusal | null
  /** The first attempt with a number of at least `from`; null where none has come. */
  attempt(from: number): IncomingAttempt | null
  /** The number of the last attempt that has come; 0 for none. */
  latest(): number
  /** Forgets events of an attempt that are recorded; returns the entries of the stream that nobody needs any more. */
  recorded(number: number, count: number): string[]
  /** How many events are held. */
  held(): number
}

/**
 * The inbox of a run whose job has such a nonce. `refuses` says why a worker is not believed. Frames are in the order of
 * their stream: those of an attempt follow each other, and end where a higher one begins. After a power cut a server may hand
 * out a number once more that it had forgotten: of two workers with the same one neither is believed.
 */
export function createInbox(run: string, nonce: string, refuses: (head: Head) => string | null): Inbox {
  let attempts: IncomingAttempt[] = []
  const refused = new Set<number>()
  const latest = () => attempts.at(-1)?.number ?? 0

  return {
    take(id, { run: of, nonce: given, attempt: number, first, head, events }) {
      const refuse = (why: string, attempt = false): Refusal => ({ why, attempt })
      if (of !== run) return refuse(`a result of run ${of.slice(0, 8)} came for run ${run.slice(0, 8)}`)
      if (given !== nonce) return refuse(`a result of an earlier job came for run ${run.slice(0, 8)}`)
      if (refused.has(number) || number < latest()) return null
      if (head) {
        const same = attempts.find((each) => each.number === number)
        if (same?.head.machine === head.machine) return null
        if (same) {
          refused.add(number)
          attempts = attempts.filter((each) => each !== same)
          return refuse(
            `${same.head.machine} and ${head.machine} both made attempt ${number} at run ${run.slice(0, 8)}`,
            true,
          )
        }
        const why = refuses(head)
        if (why !== null) {
          refused.add(number)
          return refuse(`${head.machine} is not believed: ${why}`, true)
        }
        attempts.push({ number, head, first: 0, events: [], entries: [] })
        return null
      }
      const attempt = attempts.at(-1)
      if (!attempt || attempt.number !== number)
        return refuse(`events of attempt ${number}, which has not begun, came for run ${run.slice(0, 8)}`)
      // those before them are in the store
      if (attempt.entries.length === 0 && attempt.events.length === 0 && attempt.first === 0) attempt.first = first
      const next = attempt.first + attempt.events.length
      if (first > next) {
        refused.add(number)
        attempts = attempts.filter((each) => each !== attempt)
        return refuse(`events of attempt ${number} at run ${run.slice(0, 8)} were lost on the way`, true)
      }
      attempt.entries.push({ id, end: first + events.length })
      attempt.events.push(...events.slice(next - first))
      return null
    },
    attempt: (from) => attempts.find(({ number }) => number >= from) ?? null,
    latest,
    recorded(number, count) {
      attempts = attempts.filter((each) => each.number >= number)
      const attempt = attempts.find((each) => each.number === number)
      if (!attempt) return []
      const over = attempt.entries.filter(({ end }) => end <= count)
      attempt.entries = attempt.entries.filter(({ end }) => end > count)
      const gone = Math.max(0, Math.min(count - attempt.first, attempt.events.length))
      attempt.events.splice(0, gone)
      attempt.first += gone
      return over.map(({ id }) => id)
    },
    held: () => attempts.reduce((sum, { events }) => sum + events.length, 0),
  }
}
