import { withoutChance } from '../chance.ts'
import { type Definition, noteDefinition } from '../definitions.ts'
import { MixlabError } from '../errors.ts'

/** The rate for step `step` (from 0) of `steps` as a multiple of that of the optimizer; `floor` is that of the recipe. */
type Factor = (step: number, steps: number, floor: number) => number

/** A learning rate scheduler, of the table or of a cell, for `schedule:` of a recipe. */
export interface OwnSchedule extends Definition {
  readonly kind: 'schedule'
  readonly factor: Factor
}

/**
 * Defines a learning rate scheduler: the rate for step `step` (from 0) of `steps` as a multiple of that of the optimizer.
 * It says the whole course, warmup included; a `warmup` of the recipe is put before it. `floor` of the recipe is its third
 * argument. Throws MixlabError `option`.
 */
export function schedule(name: string, factor: Factor): OwnSchedule {
  if (typeof name !== 'string' || !name)
    throw new MixlabError('option', 'schedule', 'expected a name as first argument')
  if (typeof factor !== 'function') {
    throw new MixlabError('option', `schedule '${name}'`, 'expected a function (step, steps) => factor')
  }
  const defined: OwnSchedule = { kind: 'schedule', name, factor, decides: factor }
  noteDefinition(defined)
  return defined
}

export function isSchedule(value: unknown): value is OwnSchedule {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schedule'
}

/** How far the course is, from 0 to 1. */
const progress = (step: number, steps: number) => step / Math.max(1, steps)

// The schedulers that a recipe names. A new one is one entry here.
const schedules = {
  /** Half a cosine down to the floor (Loshchilov and Hutter 2017). */
  cosine: schedule(
    'cosine',
    (step, steps, floor) => floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * progress(step, steps))),
  ),
  /** A straight line down to the floor. */
  linear: schedule('linear', (step, steps, floor) => 1 - (1 - floor) * progress(step, steps)),
  constant: schedule('constant', () => 1),
}

export type ScheduleName = keyof typeof schedules
export const scheduleNames = Object.keys(schedules) as ScheduleName[]

export interface Schedule {
  schedule: ScheduleName | OwnSchedule
  /** Steps in all, and how many of them warm up. */
  steps: number
  warmup: number
  floor: number
  /** Where warm-up starts, as a fraction of the peak; by default one step above 0. */
  warmupStart?: number | undefined
}

/** The learning rate scheduler: the rate for step `step` (from 0) as a multiple of the peak, a linear warmup, then the curve. */
export function learningRateAt(step: number, { schedule, steps, warmup, floor, warmupStart }: Schedule): number {
  if (step < warmup) {
    return warmupStart === undefined ? (step + 1) / warmup : warmupStart + ((1 - warmupStart) * step) / warmup
  }
  // a function of the engine needs no watching, which takes 30 µs a step
  if (typeof schedule === 'string') return schedules[schedule].factor(step - warmup, steps - warmup, floor)
  return factorAt(schedule, step - warmup, steps - warmup, floor)
}

/** Throws MixlabError `option` where the scheduler of a cell gives no rate, or another one when it is asked again. */
export function checkSchedule(recipe: Schedule): void {
  const { schedule, steps, warmup } = recipe
  if (typeof schedule === 'string') return
  const rates = () => Array.from({ length: Math.max(0, steps - warmup) }, (_, i) => learningRateAt(warmup + i, recipe))
  withoutChance(() => {
    const [first, second] = [rates(), rates()]
    const at = first.findIndex((rate, i) => rate !== second[i])
    if (at < 0) return
    const what = `gave ${first[at]} and then ${second[at]} for step ${at}, expected the same`
    throw new MixlabError('option', `schedule '${schedule.name}'`, what)
  }, 'a schedule must depend on the step alone')
}

/** What a scheduler says. Throws MixlabError `option` where that is no number from 0 on. */
function factorAt({ name, factor }: OwnSchedule, step: number, steps: number, floor: number): number {
  const value: unknown = withoutChance(() => factor(step, steps, floor), 'a schedule must depend on the step alone')
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value
  const given = typeof value === 'number' ? value : `a value of type ${typeof value}`
  throw new MixlabError(
    'option',
    `schedule '${name}'`,
    `gave ${given} at step ${step} of ${steps}, expected a number from 0 on`,
  )
}
