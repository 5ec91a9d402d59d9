import type { FactorValues, VariantDesign } from '../../records/design.ts'

/** One value of a factor. */
export type Level = FactorValues[string]

/** What the variants of a study differ in, with at least two levels in the order of the study. */
export interface Factor {
  name: string
  levels: Level[]
}

/** The variants of a study by their factors. */
export interface Crossing {
  factors: Factor[]
  /** The level of each factor, by variant. */
  levels: ReadonlyMap<string, FactorValues>
  /** Variants that have no such factors, e.g. a baseline beside those of `factors`. */
  others: string[]
}

/** More combinations of levels than a study has runs. */
const MAX_COMBINATIONS = 2 ** 20

/** How variants are crossed by `factors`; null where they are not, or where their common factors do not tell them apart, or have too many combinations. */
export function crossingOf(variants: readonly VariantDesign[]): Crossing | null {
  const crossed = variants.filter((each) => each.crossed)
  const [first] = crossed
  if (!first) return null
  const shared = Object.keys(first.settings).filter((name) =>
    crossed.every(({ settings }) => Object.hasOwn(settings, name)),
  )
  const factors = shared
    .map((name) => ({ name, levels: [...new Set(crossed.flatMap(({ settings }) => settings[name] ?? []))] }))
    .filter(({ levels }) => levels.length > 1)
  const known = crossed.map(({ variant, settings }) => [variant, levelsIn(settings, factors)] as const)
  const different = new Set(known.map(([, levels]) => JSON.stringify(levels)))
  const combinations = factors.reduce((product, { levels }) => product * levels.length, 1)
  if (factors.length === 0 || different.size < known.length || combinations > MAX_COMBINATIONS) return null
  return {
    factors,
    levels: new Map(known),
    others: variants.filter((each) => !each.crossed).map(({ variant }) => variant),
  }
}

function levelsIn(settings: FactorValues, factors: readonly Factor[]): FactorValues {
  return Object.fromEntries(
    factors.flatMap(({ name }) => (Object.hasOwn(settings, name) ? [[name, settings[name] as Level]] : [])),
  )
}
