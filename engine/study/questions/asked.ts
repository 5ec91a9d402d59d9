import type { FactorValues, VariantDesign } from '../../records/design.ts'
import { type Crossing, crossingOf } from '../design/crossing.ts'
import { missingIn } from './factors.ts'
import type { Asked } from './types.ts'

/** A study as questions see it. */
export function askedOf(study: string, variants: readonly VariantDesign[]): Asked {
  return {
    study,
    variants: variants.map(({ variant }) => variant),
    crossing: crossingOf(variants),
    constant: constantIn(variants),
  }
}

/** Whether all variants of a study, and nothing else, are a crossing of several factors. */
export function isFactorial(asked: Asked): asked is Asked & { crossing: Crossing } {
  const { crossing } = asked
  return crossing !== null && crossing.factors.length > 1 && crossing.others.length + missingIn(crossing).length === 0
}

/** The factors that have the same level in all variants that have factors. */
function constantIn(variants: readonly VariantDesign[]): FactorValues {
  const [first, ...others] = variants.filter(({ crossed }) => crossed).map(({ settings }) => settings)
  return Object.fromEntries(
    Object.entries(first ?? {}).filter(([name, level]) => others.every((other) => other[name] === level)),
  )
}
