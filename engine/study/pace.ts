import type { TrainEvent } from '../records/events.ts'

/** The first steps of a run compile and fill pools: they tell nothing of those to come. */
const WARM_UP = 5
/** Steps whose median counts. */
const RECENT = 31

/** How fast a run is trained, by its steps after the warm-up. Plain data; times in ms. */
export interface Pace {
  /** Steps since the run began or went on, those of the warm-up too. */
  steps: number
  /** What the last ones took, oldest first. */
  recent: number[]
  /** What lay between them in all: evaluation, histograms, checkpoints. */
  between: number
  /** The time of the run at its last step, or at its start. */
  at: number
}

/** The pace after an event of a run; `ms` is the time of the run at it. Null before a run has started. */
export function paceAfter(before: Pace | null, event: TrainEvent, ms: number): Pace | null {
  if (event.type === 'start') return { steps: 0, recent: [], between: 0, at: ms }
  if (!before) return null
  if (event.type === 'done' || event.type === 'failed' || event.type === 'interrupted') {
    const usual = median(before.recent)
    return { ...before, recent: usual === null ? [] : [usual] } // as it goes into the store with what the cell shows
  }
  if (event.type !== 'step') return before
  const steps = before.steps + 1
  if (steps <= WARM_UP) return { ...before, steps, at: ms }
  const between = before.between + Math.max(0, ms - before.at - event.ms)
  return { steps, recent: [...before.recent, event.ms].slice(-RECENT), between, at: ms }
}

/** How far a run is: steps done, and its time then in ms. */
interface Place {
  step: number
  ms: number
}

/** The pace of a run that somebody else trains, by how far it was at one look and at the next. */
export function paceSeen(before: Pace | null, was: Place, now: Place): Pace | null {
  const steps = now.step - was.step
  if (steps < 0) return null
  if (steps === 0 || was.step < WARM_UP || now.ms <= was.ms) return before
  const recent = [...(before?.recent ?? []), (now.ms - was.ms) / steps].slice(-RECENT)
  return { steps: (before?.steps ?? WARM_UP) + steps, recent, between: 0, at: now.ms }
}

/**
 * Milliseconds that a step adds to the time of a run: the median of the last steps, and a step's part of what lies between
 * them. Null during the warm-up.
 */
export function stepTime({ recent, between, steps }: Pace): number | null {
  const usual = median(recent)
  return usual === null ? null : usual + between / (steps - WARM_UP)
}

/** A run of a study that is not over, or one that was timed. */
export interface TimedRun {
  variant: string
  /** Steps left; 0 where it is over. */
  left: number
  running: boolean
  pace: Pace | null
}

/**
 * Milliseconds until all runs are trained; null while nothing was timed. A run goes on at its own pace, or else at that of
 * the others of its variant, or else at that of all. `places` runs are trained at a time, those that wait in their order.
 */
export function timeLeft(runs: readonly TimedRun[], places: number): number | null {
  const overall = median(runs.flatMap(perStep))
  if (overall === null) return null
  const ofVariant = new Map<string, number | null>()
  for (const { variant } of runs) {
    if (!ofVariant.has(variant)) {
      ofVariant.set(variant, median(runs.filter((run) => run.variant === variant).flatMap(perStep)))
    }
  }
  const time = (run: TimedRun) => run.left * (perStep(run)[0] ?? ofVariant.get(run.variant) ?? overall)
  const busy = runs.filter(({ running }) => running).map(time)
  while (busy.length < places) busy.push(0)
  for (const run of runs) {
    if (run.running || run.left === 0) continue
    const first = busy.indexOf(Math.min(...busy))
    busy[first] = (busy[first] ?? 0) + time(run)
  }
  return Math.max(...busy)
}

function perStep({ pace }: TimedRun): number[] {
  const step = pace && stepTime(pace)
  return step === null ? [] : [step]
}

/** Null of nothing. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
