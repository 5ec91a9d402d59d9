import { median } from './median.ts'
import { type Pace, pausePerStep } from './pace.ts'

/** A run of a study that is to be trained, or was. */
export interface TimedRun {
  variant: string
  /** Planned steps; 0 where that is not known. */
  steps: number
  /** Steps left; 0 where it is over. */
  left: number
  running: boolean
  /** It began before any run of the study was through: what it does for the first time, others need not. */
  cold: boolean
  /** Steps from one evaluation to the next; 0 where that is not known. */
  evalEvery: number
  pace: Pace | null
  /** Milliseconds that its training took some time ago, on whatever machine; null where the store has nothing. */
  stored: number | null
}

/** Milliseconds, at least and at most. */
interface Span {
  low: number
  high: number
}

/** A span that is no wider becomes one number, which is then off by a factor of 1.5 at most. */
const MAX_SPAN_RATIO = 1.5 ** 2
/** Part of a cold run after which its waits for batches are taken to last: data are read for the first time, or drawn. */
const SETTLED = 0.5

/**
 * Milliseconds until all runs are trained; null while that is not known to a factor of 1.5. A run goes on at its own pace, one
 * that waits at that of its variant, or of an earlier one in the store, as far as the machine now compares with that. `places`
 * runs are trained at a time, those that wait in their order.
 */
export function timeLeft(runs: readonly TimedRun[], places: number): number | null {
  const known = knownOf(runs)
  const variants = new Map(
    [...Map.groupBy(runs, ({ variant }) => variant)].map(([variant, own]) => {
      return [variant, { pace: paceOf(own, known), overhead: overhead(own, known), stored: storedPerStep(own) }]
    }),
  )
  const whole = (variant: string, steps: number) => {
    const { pace = null, overhead = NONE } = variants.get(variant) ?? {}
    return pace ? plus(times(pace, steps), overhead) : earlier(variant, steps)
  }
  /** By what earlier runs took, in proportion to those of a variant that has been timed since. */
  const earlier = (variant: string, steps: number): Span | null => {
    const own = variants.get(variant)?.stored ?? null
    if (own === null) return null
    const ratios = [...variants.values()].flatMap(({ pace, overhead, stored }) =>
      pace && stored ? [times(plus(times(pace, steps), overhead), 1 / (stored * steps))] : [],
    )
    const ratio = spanOf(ratios)
    return ratio && times(ratio, own * steps)
  }
  const spans = new Map<TimedRun, Span>()
  for (const run of runs) {
    if (run.left === 0 && !run.running) continue
    const own = run.pace && ownPace(run, known)
    const span = own ? plus(times(own, run.left), known.tails) : whole(run.variant, run.left)
    if (!span) return null
    spans.set(run, own || !run.pace ? span : minus(span, run.pace.at - run.pace.began))
  }
  const timed = runs.some(({ pace }) => pace && pace.recent.length > 0)
  const all = [...spans].map(([run, span]) => ({ ...span, running: run.running }))
  const [low, high] = [inPlaces(all, 'low', places), inPlaces(all, 'high', places)]
  return timed && high <= low * MAX_SPAN_RATIO ? Math.sqrt(low * high) : null
}

type Steps = Pick<TimedRun, 'variant' | 'steps'>

/** The planned steps of each of some runs: before it has begun those of its variant, or else the most that one has. */
export function plannedSteps(runs: readonly Steps[]): (run: Steps) => number {
  const most = new Map<string, number>()
  for (const { variant, steps } of runs) most.set(variant, Math.max(most.get(variant) ?? 0, steps))
  const all = Math.max(0, ...most.values())
  return ({ variant, steps }) => steps || most.get(variant) || all
}

/** Steps from one evaluation to the next, as the spec of a planned run has them; 0 where it has none. */
export function evalEveryOf({ train }: Record<string, unknown>): number {
  const every = typeof train === 'object' && train !== null && 'evalEvery' in train ? Number(train.evalEvery) : 0
  return Number.isFinite(every) ? every : 0
}

/** The same of one run in training; null in the first half of a cold one, which may be slower than the second. */
export function timeLeftInRun(run: TimedRun): number | null {
  return isUnsettled(run) ? null : timeLeft([run], 1)
}

function isUnsettled({ cold, left, steps }: TimedRun): boolean {
  return cold && left > steps * SETTLED
}

/** The time for runs that are trained so many at a time. */
function inPlaces(runs: (Span & { running: boolean })[], end: keyof Span, places: number): number {
  const busy = runs.filter(({ running }) => running).map((run) => run[end])
  while (busy.length < places) busy.push(0)
  for (const run of runs) {
    if (run.running) continue
    const first = busy.indexOf(Math.min(...busy))
    busy[first] = (busy[first] ?? 0) + run[end]
  }
  return Math.max(0, ...busy)
}

/**
 * The time of a step of a variant, by its runs; the first run of a study is slower and counts only where there is no
 * other.
 */
function paceOf(own: readonly TimedRun[], known: Known): Span | null {
  const found = (runs: readonly TimedRun[]) => spanOf(runs.flatMap((run) => ownPace(run, known) ?? []))
  return found(warmAmong(own)) ?? found(own)
}

/** What a step of a run takes now, and its part of evaluations and checkpoints; null during the warm-up. */
function ownPace(run: TimedRun, known: Known): Span | null {
  const { pace } = run
  const [usual, computed] = [median(pace?.recent ?? []), median(pace?.computed ?? [])]
  const pause = pace && pauseOf(run, pace, known)
  if (!pause || usual === null || computed === null) return null
  return plus({ low: isUnsettled(run) ? computed : usual, high: usual }, pause)
}

/** What evaluations and checkpoints add to a step; null before the first evaluation. */
function pauseOf({ evalEvery, steps }: TimedRun, pace: Pace, known: Known): Span | null {
  const own = pausePerStep(pace) ?? known.pause
  if (own !== null) return exactly(own)
  const { first, firstAt } = pace.pauses
  if (first > 0) return { low: 0, high: first / firstAt }
  return pace.steps > evalEvery || evalEvery >= steps ? exactly(0) : null
}

/** What a run takes beside its steps: making the model, compiling, the last evaluation. */
function overhead(own: readonly TimedRun[], { warmHead, head, tails }: Known): Span {
  const warm = median(headsOf(warmAmong(own))) ?? warmHead
  return plus(warm === null ? { low: 0, high: head ?? 0 } : exactly(warm), tails)
}

/** What all runs of a study say: of a pause in a step, of the time before the first step, and of that after the last one. */
interface Known {
  pause: number | null
  head: number | null
  /** Without cold runs. */
  warmHead: number | null
  tails: Span
}

function knownOf(all: readonly TimedRun[]): Known {
  return {
    pause: median(all.flatMap((run) => (run.pace && pausePerStep(run.pace)) ?? [])),
    head: median(headsOf(all)),
    warmHead: median(headsOf(warmAmong(all))),
    tails: tails(all),
  }
}

const headsOf = (runs: readonly TimedRun[]) => runs.flatMap(({ pace }) => pace?.head ?? [])
const warmAmong = (runs: readonly TimedRun[]) => runs.filter(({ cold }) => !cold)

/** What runs take from their last step to their end. */
function tails(all: readonly TimedRun[]): Span {
  const found = (runs: readonly TimedRun[]) => median(runs.flatMap(({ pace }) => pace?.tail ?? []))
  const warm = found(warmAmong(all))
  return warm === null ? { low: 0, high: found(all) ?? 0 } : exactly(warm)
}

function storedPerStep(own: readonly TimedRun[]): number | null {
  return median(own.flatMap(({ stored, steps }) => (stored && steps > 0 ? [stored / steps] : [])))
}

function spanOf(spans: readonly Span[]): Span | null {
  const [low, high] = [median(spans.map((span) => span.low)), median(spans.map((span) => span.high))]
  return low === null || high === null ? null : { low, high }
}

const NONE: Span = { low: 0, high: 0 }
const exactly = (ms: number): Span => ({ low: ms, high: ms })
const minus = ({ low, high }: Span, ms: number): Span => ({ low: Math.max(0, low - ms), high: Math.max(0, high - ms) })
const plus = (a: Span, b: Span): Span => ({ low: a.low + b.low, high: a.high + b.high })
const times = ({ low, high }: Span, by: number): Span => ({ low: low * by, high: high * by })
