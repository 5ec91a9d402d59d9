import type { TrainEvent } from '../../records/events.ts'
import { median } from './median.ts'

/** The first steps of a run compile and fill pools: they say nothing of those to come. */
export const WARM_UP = 5
/** Steps whose median counts. */
const RECENT = 31

/** How fast a run is trained, by its steps after the warm-up. Plain data, which is stored with what a cell shows; times in ms. */
export interface Pace {
  /** Steps since the run began or went on, those of the warm-up too. */
  steps: number
  /** What the last ones took, oldest first, and without waiting for their batches. */
  recent: number[]
  computed: number[]
  /** Time between the steps, for evaluation and checkpoints: at the first such pause, and at the later ones. */
  pauses: { first: number; firstAt: number; later: number; lastAt: number }
  /** The time of the run when it began or went on, and at its last step. */
  began: number
  at: number
  /** What it took until it trained at its pace, and from its last step to its end; null until that is known. */
  head: number | null
  tail: number | null
}

const NO_PAUSE = { first: 0, firstAt: 0, later: 0, lastAt: 0 }

/** What steps in a row took, oldest first, as their events have it, and the time of the run at each; in ms. */
export interface StepTimes {
  ms: number[]
  waited: number[]
  paused: number[]
  at: number[]
}

/** The pace after an event of a run; `ms` is the time of the run at it. Null before a run has started. */
export function paceAfter(before: Pace | null, event: TrainEvent, ms: number): Pace | null {
  if (event.type === 'start') {
    const began = event.resumedAt ? ms : 0 // a fresh one has made its model since
    return { steps: 0, recent: [], computed: [], pauses: NO_PAUSE, began, at: ms, head: null, tail: null }
  }
  if (!before) return null
  if (event.type === 'done') return { ...ended(before), tail: Math.max(0, ms - before.at) }
  if (event.type === 'failed' || event.type === 'interrupted') return ended(before)
  if (event.type !== 'step') return before
  return paceAfterSteps(before, { ms: [event.ms], waited: [event.waited ?? 0], paused: [event.paused ?? 0], at: [ms] })
}

/** The pace after steps in a row. Null before a run has started. */
export function paceAfterSteps(before: Pace | null, { ms, waited, paused, at }: StepTimes): Pace | null {
  if (!before) return null
  const steps = before.steps + ms.length
  const pauses = paused.reduce(
    (known, pause, i) => (pause > 0 ? pausesAfter(known, pause, before.steps + i + 1) : known),
    before.pauses,
  )
  const after = { ...before, steps, pauses, at: at.at(-1) ?? before.at }
  const cold = Math.max(0, WARM_UP - before.steps) // of these steps those of the warm-up
  const first = ms[cold]
  if (first === undefined) return after
  const from = Math.max(cold, ms.length - RECENT)
  const recent = [...before.recent, ...ms.slice(from)].slice(-RECENT)
  const computed = [...before.computed, ...ms.slice(from).map((each, i) => each - (waited[from + i] ?? 0))]
  const head = before.head ?? Math.max(0, (at[cold - 1] ?? before.at) - before.began - WARM_UP * first)
  return { ...after, recent, computed: computed.slice(-RECENT), head }
}

/** Of steps that are over, only their median is kept. */
function ended(pace: Pace): Pace {
  return { ...pace, recent: onlyMedian(pace.recent), computed: onlyMedian(pace.computed) }
}

function onlyMedian(values: number[]): number[] {
  const usual = median(values)
  return usual === null ? [] : [usual]
}

function pausesAfter(before: Pace['pauses'], paused: number, step: number): Pace['pauses'] {
  if (before.firstAt === 0) return { first: paused, firstAt: step, later: 0, lastAt: step }
  return { ...before, later: before.later + paused, lastAt: step }
}

/** How far a run is: steps done, and its time then in ms. */
interface Place {
  step: number
  ms: number
}

/** The pace of a run that another process trains, by its steps at two polls. */
export function paceSeen(before: Pace | null, was: Place, now: Place): Pace | null {
  const steps = now.step - was.step
  if (steps < 0) return null
  if (steps === 0 || was.step < WARM_UP || now.ms <= was.ms) return before
  const recent = [...(before?.recent ?? []), (now.ms - was.ms) / steps].slice(-RECENT)
  const unknown = { pauses: NO_PAUSE, began: 0, head: null, tail: null }
  return { ...unknown, steps: (before?.steps ?? WARM_UP) + steps, recent, computed: recent, at: now.ms }
}

/** Milliseconds that a pause adds to each step; null until a second one has come, for the first compiles. */
export function pausePerStep({ pauses }: Pace): number | null {
  return pauses.lastAt > pauses.firstAt ? pauses.later / (pauses.lastAt - pauses.firstAt) : null
}

/**
 * Milliseconds that a step adds to the time of a run: the median of the last steps, and a step's part of what lies between
 * them. Null during the warm-up.
 */
export function stepTime(pace: Pace): number | null {
  const usual = median(pace.recent)
  return usual === null ? null : usual + (pausePerStep(pace) ?? 0)
}
