/** The learning rate after warm-up as a fraction of its peak, from `progress` 0 to 1. */
type Curve = (progress: number, floor: number) => number

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
  schedule: ScheduleName
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
  const curve: Curve = curves[schedule]
  return curve((step - warmup) / Math.max(1, steps - warmup), floor)
}
