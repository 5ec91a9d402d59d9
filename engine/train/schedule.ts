import { type Definition, noteDefinition } from '../definitions.ts'
import { MixlabError } from '../errors.ts'

/** The learning rate after warm-up as a multiple of its peak, from `progress` 0 to 1; `floor` is that of the recipe. */
type Curve = (progress: number, floor: number) => number

/** A learning rate scheduler defined in a cell, for `schedule:` of a recipe. */
export interface OwnSchedule extends Definition {
  readonly kind: 'schedule'
  readonly factor: (step: number, steps: number) => number
}

/**
 * Defines a learning rate scheduler: the rate for step `step` (from 0) of `steps` as a multiple of that of the optimizer.
 * It says the whole course, warmup included; a `warmup` of the recipe is put before it. Throws MixlabError `option`.
 */
export function schedule(name: string, factor: (step: number, steps: number) => number): OwnSchedule {
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

const curves = {
  /** Half a cosine down to the floor (Loshchilov and Hutter 2017). */
  cosine: (progress, floor) => floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * progress)),
  /** A straight line down to the floor. */
  linear: (progress, floor) => 1 - (1 - floor) * progress,
  constant: () => 1,
} satisfies Record<string, Curve>

export type ScheduleName = keyof typeof curves
export const scheduleNames = Object.keys(curves) as ScheduleName[]

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
  if (typeof schedule !== 'string') return factorAt(schedule, step - warmup, steps - warmup)
  const curve: Curve = curves[schedule]
  return curve((step - warmup) / Math.max(1, steps - warmup), floor)
}

/** What a scheduler of a cell says. Throws MixlabError `option` where that is no number from 0 on. */
function factorAt({ name, factor }: OwnSchedule, step: number, steps: number): number {
  const value: unknown = factor(step, steps)
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value
  const given = typeof value === 'number' ? value : `a value of type ${typeof value}`
  throw new MixlabError(
    'option',
    `schedule '${name}'`,
    `gave ${given} at step ${step} of ${steps}, expected a number from 0 on`,
  )
}
