import { isBetter, type MetricMeaning } from '../../records/meaning.ts'
import { type BestOf, bestOf } from '../statistics/bestOf.ts'
import { plural } from '../statistics/sentences.ts'
import { meanOf } from '../summary.ts'
import type { ChosenSide, Contrast, SeedValues } from './types.ts'

/** Choices that left out that a sentence names. */
const NAMED = 2

/** The weight of each variant in a contrast that is a weighted sum of their values; null for any other. */
export function weightsOf({ variants, test, unitless, of }: Contrast): number[] | null {
  if (test || unitless) return null
  const weights = variants.map((own) => of((variant) => (variant === own ? 1 : 0)) ?? Number.NaN)
  const twice = of((variant) => 2 * (1 + variants.indexOf(variant))) ?? Number.NaN
  const sum = weights.reduce((total, weight, i) => total + 2 * (1 + i) * weight, 0)
  return Math.abs(twice - sum) <= 1e-9 * Math.max(1, Math.abs(sum)) ? weights : null
}

/**
 * What a contrast chooses from: what it says itself, and of variants that are trained with several values which pilots could
 * not tell apart one of these. Null where there is nothing to choose, or where it is no weighted sum.
 */
export function optionsOf(contrast: Contrast, trained: ReadonlyMap<string, string[]>): ChosenSide[] | null {
  const namesOf = (variant: string) => trained.get(variant) ?? [variant]
  const isTuned = contrast.variants.some((variant) => trained.has(variant))
  if (!isTuned) return contrast.options ? [...contrast.options] : null
  if (contrast.options) {
    return contrast.options.map(({ weight, choices }) => ({
      weight,
      choices: choices.flatMap((all) => each(all.map(namesOf))),
    }))
  }
  const weights = weightsOf(contrast)
  if (!weights) return null
  return contrast.variants.flatMap((variant, place) => {
    const weight = weights[place] as number
    return weight === 0 ? [] : [{ weight, choices: namesOf(variant).map((name) => [name]) }]
  })
}

/** The variants that are chosen from. */
export function namesIn(options: readonly ChosenSide[]): string[] {
  return [...new Set(options.flatMap(({ choices }) => choices.flat()))]
}

/** All lists that take one of each. */
function each(lists: readonly (readonly string[])[]): string[][] {
  return lists.reduce<string[][]>((rows, own) => rows.flatMap((row) => own.map((name) => [...row, name])), [[]])
}

/** Sides with their choices on which the fewest seeds failed, and what is left out, in words. */
export function withoutFailures(
  sides: readonly ChosenSide[],
  failedOn: (variants: readonly string[]) => number,
  seeds: number,
): { options: (ChosenSide & { places: number[] })[]; leftOut: string[] } {
  const leftOut: string[] = []
  const found = sides.map(({ weight, choices }) => {
    const failed = choices.map(failedOn)
    const fewest = Math.min(...failed)
    const places = choices.flatMap((_, place) => (failed[place] === fewest ? [place] : []))
    for (const [place, variants] of choices.entries()) {
      const count = failed[place] as number
      if (count > fewest) leftOut.push(`${variants.join(' and ')} failed on ${count} of ${plural(seeds, 'seed')}`)
    }
    return { weight, places, choices: places.map((place) => choices[place] as string[]) }
  })
  const more = leftOut.length > NAMED ? [`${leftOut.length - NAMED} more`] : []
  const text = [...leftOut.slice(0, NAMED), ...more].join(', ')
  return { options: found, leftOut: leftOut.length > 0 ? [`left out: ${text}`] : [] }
}

/** The joint test of sides, in the unit of the metric; null where no way is better, so that nothing is the best. */
export function bestOfSides(
  sides: readonly ChosenSide[],
  seeds: readonly SeedValues[],
  meaning: MetricMeaning,
): BestOf | null {
  if (!meaning.better) return null
  const sign = isBetter(1, 0, meaning) ? 1 : -1
  const valuesOf = (variants: readonly string[]) => seeds.map(({ value }) => sign * meanOf(variants.map(value)))
  const found = bestOf(sides.map(({ weight, choices }) => ({ weight, choices: choices.map(valuesOf) })))
  if (sign > 0) return found
  return {
    ...found,
    above: (bound) => found.below(-bound),
    below: (bound) => found.above(-bound),
    interval(level) {
      const own = found.interval(level)
      return own && { low: -own.high, high: -own.low, level: own.level }
    },
  }
}

/** The number of a seed with the choices at some places. */
export function sumAt(sides: readonly ChosenSide[], chosen: readonly number[]): Contrast['of'] {
  return (value) =>
    sides.reduce((sum, { weight, choices }, side) => {
      return sum + weight * meanOf((choices[chosen[side] as number] as string[]).map(value))
    }, 0)
}

/** The choices at some places, in words: as the question says them, or by the names of the variants. */
export function atText(
  { atChosen, options: own }: Contrast,
  sides: readonly ChosenSide[],
  chosen: readonly number[],
): string[] {
  const isOwn = own?.every(({ choices }, side) => choices.length === sides[side]?.choices.length)
  if (atChosen && isOwn) return atChosen(chosen)
  const named = sides.map(({ choices }, side) => choices[chosen[side] as number]?.join(' and '))
  return [`each at its best: ${named.join('; ')}`]
}
