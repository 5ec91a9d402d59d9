/**
 * Milliseconds that one submission is to take at most. Windows resets a card that is at work on one for 2 s, and a card
 * that also draws the screen draws nothing meanwhile.
 */
const MOST_MS = 400
/** Dispatches of a submission whose time is not known yet, and how often that is measured. */
const [FEW, TRIALS] = [8, 2]
/** After a loss of the card, submissions are this many times as small; a third one goes to the processor. */
const SMALLER = 4

/** Dispatches `from` to below `to`, in one submission. */
export interface Span {
  from: number
  to: number
}

/** How the dispatches of a plan are divided into submissions, by the time that these take. */
export interface Submissions {
  /** Those of the dispatches below `end`. */
  below(end: number): Span[]
  /** The submission that begins with dispatch `from` took so many milliseconds. */
  took(from: number, ms: number): void
  /** Whether all have been measured; until then they are small. */
  isSettled(): boolean
}

interface Timed extends Span {
  /** The least that it took, and how often it was measured, or took too long one time after the other. */
  ms: number
  count: number
  late: number
}

const unknown = (from: number, to: number): Timed => ({ from, to, ms: Number.POSITIVE_INFINITY, count: 0, late: 0 })

/** The submissions of so many dispatches on a card that was lost so often: few dispatches each until they are measured. */
export function createSubmissions(dispatches: number, losses = 0): Submissions {
  const [few, most] = [Math.max(1, FEW / SMALLER ** losses), MOST_MS / SMALLER ** losses]
  let all = Array.from({ length: Math.ceil(dispatches / few) }, (_, i) => {
    return unknown(i * few, Math.min(dispatches, (i + 1) * few))
  })
  let settled = all.length === 1

  return {
    below: (end) => all.filter(({ from }) => from < end).map(({ from, to }) => ({ from, to: Math.min(to, end) })),
    took: (from, ms) => {
      const at = all.findIndex((span) => span.from === from)
      const span = all[at]
      if (!span) return // it has been joined meanwhile
      span.ms = Math.min(span.ms, ms)
      span.count++
      span.late = ms > 2 * most ? span.late + 1 : 0
      if (!settled && all.every(({ count }) => count >= TRIALS)) {
        settled = true
        all = joined(all, most)
      } else if (settled && span.late > 1 && span.to - span.from > 1) {
        const middle = Math.ceil((span.from + span.to) / 2)
        all.splice(at, 1, unknown(from, middle), unknown(middle, span.to))
      }
    },
    isSettled: () => settled,
  }
}

/** Neighbours in one submission as long as that takes at most so many milliseconds. */
function joined(spans: Timed[], most: number): Timed[] {
  const found: Timed[] = []
  for (const span of spans) {
    const before = found.at(-1)
    if (before && before.ms + span.ms <= most) Object.assign(before, { to: span.to, ms: before.ms + span.ms, late: 0 })
    else found.push({ ...span, late: 0 })
  }
  return found
}
