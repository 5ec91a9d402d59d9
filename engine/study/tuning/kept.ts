import type { VariantDesign } from '../../records/design.ts'
import type { TunedDesign, TunedVariant } from '../../records/tuned.ts'
import { studentTQuantile } from '../statistics/distributions.ts'
import { meanOf, spread } from '../summary.ts'

/** The share of studies in which the best value of a variant may be excluded. */
const EXCLUDED = 0.025

/** Variances that are so many times that of steadier values are of values that are not steady. */
const UNSTEADY = 100

/**
 * The places of values that pilot seeds cannot tell from the best, by variant: all but those whose mean is worse by more than
 * chance makes it in 2.5% of studies for any of the values (subset selection: Gupta, "On Some Multiple Decision (Selection
 * and Ranking) Rules", 1965). The spread is that between the seeds of a value, of all values and variants together. `values`
 * are by variant, value and seed, of which higher is better; NaN, and the value is excluded, where a run diverged or failed.
 */
export function keptPlaces(values: readonly (readonly (readonly number[])[])[]): number[][] {
  const { variance, freedom } = pooled(values)
  return values.map((own) => {
    const means = own.map(meanOf)
    const best = bestOf(means)
    const finite = means.filter(Number.isFinite).length
    const t = freedom === 0 || finite < 2 ? Infinity : studentTQuantile(1 - EXCLUDED / (finite - 1), freedom)
    const limit = freedom === 0 ? Infinity : t * Math.sqrt((2 * variance) / (own[0]?.length ?? 1))
    return means.flatMap((mean, place) => (best - mean <= limit ? [place] : []))
  })
}

const bestOf = (means: readonly number[]) => Math.max(...means.filter(Number.isFinite))

/**
 * The variance between the seeds of a value. A value that is not the best of its variant and far less steady than the others
 * says nothing of how steady as good a one is; without it, such as a rate at which some runs nearly diverge, the others can be
 * told apart.
 */
function pooled(values: readonly (readonly (readonly number[])[])[]): { variance: number; freedom: number } {
  const groups = values.flatMap((own) => {
    const best = bestOf(own.map(meanOf))
    return own.flatMap((seeds) => {
      if (seeds.length < 2 || !seeds.every(Number.isFinite)) return []
      return [{ variance: (spread(seeds).sd ?? 0) ** 2, freedom: seeds.length - 1, isBest: meanOf(seeds) === best }]
    })
  })
  const over = (own: typeof groups) => {
    const freedom = own.reduce((sum, each) => sum + each.freedom, 0)
    const squares = own.reduce((sum, each) => sum + each.freedom * each.variance, 0)
    return { variance: freedom > 0 ? squares / freedom : 0, freedom }
  }
  const others = groups.filter(({ isBest }) => !isBest).sort((a, b) => b.variance - a.variance)
  for (let count = Math.min(others.length, Math.floor(groups.length / 2)); count > 0; count--) {
    const left = over(groups.filter((each) => !others.slice(0, count).includes(each)))
    if ((others[count - 1]?.variance ?? 0) > UNSTEADY * left.variance) return left
  }
  return over(groups)
}

/** The places of the values with which a variant is trained. */
export function placesOf({ chosen, kept }: TunedVariant): number[] {
  return kept?.map(({ value }) => value) ?? [chosen]
}

/** The variants that are trained for those of a study which keep several values, the one with the best value first. */
export function trainedNames(tuned: TunedDesign | undefined): Map<string, string[]> {
  return new Map(
    (tuned?.variants ?? []).flatMap(({ variant, chosen, kept }) => {
      if (!kept) return []
      const inOrder = kept.toSorted((a, b) => Number(b.value === chosen) - Number(a.value === chosen))
      return [[variant, inOrder.map((each) => each.variant)] as const]
    }),
  )
}

/** The variants that a study asks about: those that are trained with several values are one. */
export function askedVariants(variants: readonly VariantDesign[], tuned: TunedDesign | undefined): VariantDesign[] {
  const asked = new Map([...trainedNames(tuned)].flatMap(([variant, names]) => names.map((name) => [name, variant])))
  const named = variants.map((each) => ({ ...each, variant: asked.get(each.variant) ?? each.variant }))
  return [...new Map(named.map((each) => [each.variant, each])).values()]
}
