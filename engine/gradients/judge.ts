import type { Derivative } from './differences.ts'

/** A derivative that the gradient gives wrong, and how far off it is: 1 is a whole derivative. */
export interface Wrong extends Derivative {
  off: number
}

/** Of the largest derivative of a function: below, an error is compared with this share. */
const SMALLEST = 0.05
/** Rounding that is still no error, in multiples of what it can be. */
const ROUNDINGS = 10

/**
 * The derivative that is furthest off, or null where all are right: off by more than `tolerance` and than rounding at every
 * step size, by as much at each of them, and not at a kink, where slopes to the left and to the right differ at any step.
 */
export function worstOf(all: Derivative[], tolerance: number): Wrong | null {
  const [single, largest] = [all.filter(({ entry }) => entry !== 'all'), all].map(largestOf) as [number, number]
  const wrong = all.flatMap((derivative): Wrong[] => {
    const { entry, gradient, differences, rounding } = derivative
    const errors = differences.map((difference) => Math.abs(difference - gradient))
    const scale = Math.max(
      Math.abs(gradient),
      ...differences.map(Math.abs),
      SMALLEST * (entry === 'all' ? largest : single),
    )
    const least = Math.min(...errors)
    if (![gradient, ...differences].every(Number.isFinite)) return []
    if (least <= tolerance * scale || least <= ROUNDINGS * rounding || !isStable(derivative, least)) return []
    return [{ ...derivative, off: least / scale }]
  })
  return wrong.toSorted((a, b) => b.off - a.off)[0] ?? null
}

function largestOf(some: Derivative[]): number {
  const sizes = some.flatMap(({ gradient, differences }) => [gradient, ...differences].map(Math.abs))
  return Math.max(...sizes.filter(Number.isFinite))
}

/** Whether central differences agree with one another, and do not stand on a kink. */
function isStable({ entry, differences, bends }: Derivative, error: number): boolean {
  const apart = Math.max(...differences) - Math.min(...differences)
  const [first, , last] = bends as [number, number, number]
  const kink = last > error && last > 0.75 * first
  // among many entries some stand on kinks, next to others that bend as what is smooth does
  return apart < (entry === 'all' ? 0.01 : 0.25) * error && !kink
}
