import { integer, keyOf } from '../random.ts'
import { holm } from '../study/statistics/family.ts'
import type { Factor } from './factors.ts'

/** What a factor has to do with who leads. */
export interface Cause {
  factor: string
  /** Of a factor of sorts the one that stands out. */
  level: string | null
  /** Of a factor of numbers: from the first to the second, the 10th and the 90th percentile, or all there is of two values. */
  range: [from: number, to: number] | null
  /** By how much the lead is larger there than elsewhere, or at the end of the range than at its beginning. */
  change: number
  /** An interval that holds for all factors together with 95%. */
  interval: [low: number, high: number]
  /** By a permutation test, and with Holm's correction over the factors. */
  p: number
  adjusted: number
}

/** Permutations that are drawn. */
const DRAWS = 1999
/** Examples that differ below which nothing is said, and of a level of a factor. */
const LEAST = 6
const LEAST_OF_LEVEL = 5
const ALPHA = 0.05

/** Numbers whose correlation with the lead is tested, less their mean; of a factor of sorts 1 where it is of a level. */
interface Contrast {
  level: string | null
  range: [number, number] | null
  centred: Float64Array
  squares: Float64Array
  sumOfSquares: number
}

/**
 * Which factors tell those examples apart on which one of two leads from those on which the other does; `leads` has what the
 * first is better by on each example. The best first; none where fewer than six examples differ.
 *
 * By a permutation test of the correlation of lead and factor, each time divided by its own standard error, which is right
 * also where the lead only varies more with the factor (DiCiccio and Romano, "Robust Permutation Tests for Correlation and
 * Regression Coefficients", 2017): (hits + 1) / (draws + 1) over permutations that are the same in every call. Of a factor
 * of sorts the largest over its levels counts, each time anew. Over the factors by Holm.
 */
export function causes(leads: readonly number[], factors: readonly Factor[]): Cause[] {
  const count = leads.length
  const places = leads.flatMap((lead, i) => (lead === 0 ? [] : [i]))
  const tested = factors
    .map((factor) => ({ factor: factor.name, contrasts: contrastsOf(factor) }))
    .filter(({ contrasts }) => contrasts.length > 0)
  if (places.length < LEAST || tested.length === 0) return []
  const given = differing(
    places.map((i) => leads[i] as number),
    count,
  )
  const observed = tested.map(({ contrasts }) => contrasts.map((contrast) => statistic(contrast, given, places)))
  const strongest = observed.map((each) => Math.max(...each.map(Math.abs)))
  const drawn = tested.map(() => new Float64Array(DRAWS))
  const next = placeDraws(count, places.length)
  for (let draw = 0; draw < DRAWS; draw++) {
    const at = next()
    for (const [f, { contrasts }] of tested.entries()) {
      let largest = 0
      for (const contrast of contrasts) largest = Math.max(largest, Math.abs(statistic(contrast, given, at)))
      ;(drawn[f] as Float64Array)[draw] = largest
    }
  }
  const ps = drawn.map((values, f) => {
    const least = (strongest[f] as number) * (1 - 1e-9)
    return (values.reduce((hits, value) => hits + Number(value >= least), 0) + 1) / (DRAWS + 1)
  })
  const adjusted = holm(ps)
  const found = tested.map(({ factor, contrasts }, f): Cause & { strength: number } => {
    const strength = strongest[f] as number
    const contrast = contrasts[(observed[f] ?? []).findIndex((t) => Math.abs(t) === strength)] as Contrast
    const { level, range } = contrast
    const change = slopeOf(contrast, leads) * (range ? range[1] - range[0] : 1)
    const width = strength === 0 ? Number.POSITIVE_INFINITY : Math.abs(change) / strength
    const reach = width * quantile(drawn[f] as Float64Array, 1 - ALPHA / tested.length)
    const interval: [number, number] = [change - reach, change + reach]
    const of = { factor, level, range, change, interval }
    return { ...of, p: ps[f] as number, adjusted: adjusted[f] as number, strength }
  })
  return found.sort((a, b) => a.p - b.p || b.strength - a.strength).map(({ strength: _, ...cause }) => cause)
}

/** The leads that are not 0, and by how much their squared distance from the mean is more than that of the others. */
interface Differing {
  leads: Float64Array
  more: Float64Array
  mean: number
}

function differing(leads: readonly number[], count: number): Differing {
  const mean = leads.reduce((sum, lead) => sum + lead, 0) / count
  return {
    leads: Float64Array.from(leads),
    more: Float64Array.from(leads, (lead) => (lead - mean) ** 2 - mean ** 2),
    mean,
  }
}

/**
 * The covariance of lead and contrast over its standard error, which holds whatever the spread of the lead depends on, where
 * the leads that are not 0 are those of the examples at `places`.
 */
function statistic(
  { centred, squares, sumOfSquares }: Contrast,
  { leads, more, mean }: Differing,
  places: ArrayLike<number>,
): number {
  let [sum, spread] = [0, mean * mean * sumOfSquares]
  for (let i = 0; i < leads.length; i++) {
    const at = places[i] as number
    sum += (leads[i] as number) * (centred[at] as number)
    spread += (squares[at] as number) * (more[i] as number)
  }
  return spread > 0 ? sum / Math.sqrt(spread) : 0
}

/** By how much the lead rises with a contrast. */
function slopeOf({ centred, sumOfSquares }: Contrast, leads: readonly number[]): number {
  return leads.reduce((sum, lead, i) => sum + lead * (centred[i] as number), 0) / sumOfSquares
}

/** Draws `size` different numbers below `count` in random order, again and again. */
function placeDraws(count: number, size: number): () => Uint32Array {
  const key = keyOf(0, 'causes of disagreement')
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  let counter = 0
  return () => {
    for (let i = 0; i < size; i++) {
      const other = i + integer(key, counter++, count - i) // any order may be shuffled further
      const swapped = order[i] as number
      order[i] = order[other] as number
      order[other] = swapped
    }
    return order
  }
}

/** Numbers as they are; sorts level by level, those of few examples left out. */
function contrastsOf({ values }: Factor): Contrast[] {
  if (values.every((value) => typeof value === 'number')) {
    const sorted = Float64Array.from(values).sort()
    const distinct = new Set(sorted)
    if (distinct.size < 2) return []
    const range: [number, number] =
      distinct.size === 2
        ? [sorted[0] as number, sorted.at(-1) as number]
        : [quantile(sorted, 0.1), quantile(sorted, 0.9)]
    if (range[0] === range[1]) range.splice(0, 2, sorted[0] as number, sorted.at(-1) as number)
    return [contrast(values, { level: null, range })]
  }
  const counts = new Map<string, number>()
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  const levels = [...counts].filter(([, of]) => of >= LEAST_OF_LEVEL && of <= values.length - LEAST_OF_LEVEL)
  return levels.map(([level]) =>
    contrast(
      values.map((value) => Number(String(value) === level)),
      { level, range: null },
    ),
  )
}

function contrast(values: readonly number[], of: Pick<Contrast, 'level' | 'range'>): Contrast {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const centred = Float64Array.from(values, (value) => value - mean)
  const squares = centred.map((value) => value * value)
  return { ...of, centred, squares, sumOfSquares: squares.reduce((sum, value) => sum + value, 0) }
}

/** The value below which a share of the values lies. */
function quantile(values: Float64Array, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * (sorted.length - 1)))] as number
}
