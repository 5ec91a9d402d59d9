/**
 * Milliseconds that one submission is to take at most. Windows resets a card that is at work on one for 2 s, and a card
 * that also draws the screen draws nothing meanwhile.
 */
const MOST_MS = 400
/** Dispatches of a submission while it is not known how long they take, and runs after which it is. */
const [FEW, TRIALS] = [8, 2]

/** How the dispatches of a plan are divided into submissions, by the time that they take. */
export interface Submissions {
  /** Those of the dispatches below `end`: each has those `from` to below `to`. */
  below(end: number): { from: number; to: number }[]
  /** A run of so many submissions took so many milliseconds. */
  took(ms: number, submissions: number): void
  /** Whether it is known how long a run takes. */
  isSettled(): boolean
}

/** By how many times submissions are smaller after so many losses of the card. */
export function smallerAfter(losses: number): number {
  return 4 ** losses
}

/**
 * The submissions of so many dispatches, on a card that was lost so often: small ones at first, then all in one if that
 * takes no longer than one may. Those that take too long one run after the other are halved, down to single dispatches.
 */
export function createSubmissions(dispatches: number, losses: number): Submissions {
  const few = Math.max(1, Math.floor(FEW / smallerAfter(losses)))
  const most = MOST_MS / smallerAfter(losses)
  let size = few
  let runs = 0
  let least = Number.POSITIVE_INFINITY
  let late = 0
  return {
    below: (end) => {
      const count = Math.ceil(end / size)
      return Array.from({ length: count }, (_, i) => ({ from: i * size, to: Math.min(end, (i + 1) * size) }))
    },
    took: (ms, submissions) => {
      runs += 1
      least = Math.min(least, ms)
      late = ms / submissions > most ? late + 1 : 0
      if (runs === TRIALS && least <= most) size = dispatches
      if (late < 2) return
      size = Math.min(few, Math.ceil(size / 2))
      late = 0
    },
    isSettled: () => runs >= TRIALS,
  }
}
