import type { Recipe } from './recipe.ts'

/**
 * The learning rate for step `step` (from 0) as a multiple of the peak: linear warm-up from 0, then half a cosine down
 * to `floor` at the last step (Loshchilov and Hutter 2017).
 */
export function learningRateAt(step: number, recipe: Pick<Recipe, 'steps' | 'warmup' | 'floor' | 'schedule'>): number {
  const { steps, warmup, floor, schedule } = recipe
  if (step < warmup) return (step + 1) / warmup
  const progress = (step - warmup) / Math.max(1, steps - warmup)
  return schedule === 'constant' ? 1 : floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * progress))
}
