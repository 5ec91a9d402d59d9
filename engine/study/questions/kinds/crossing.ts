import type { MetricMeaning } from '../../../records/meaning.ts'
import type { AskedQuestion } from '../../../records/question.ts'
import type { Factor, Level } from '../../design/crossing.ts'
import { flipped, type PValue } from '../../statistics/family.ts'
import { digitsFor, type Judged, levelText, onlyClaim, plural, significant } from '../../statistics/sentences.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, overText, twoFactors, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import { lineThrough, type OrderedFactor, orderedFactor, type ScaleOptions } from '../ordered.ts'
import type { Asked, Contrast, QuestionKind, SeedValues } from '../types.ts'

/**
 * Asks where, along a factor of numbers, the lines of two levels of another factor cross: each level of `of` against the
 * first. Tested is that the difference has one sign at the lowest number and the other sign at the highest.
 */
export function crossing(factor: string, options: ScaleOptions & { of: string }): AskedQuestion {
  return questionAbout('crossing', factor, options, 'of', 'scale')
}

const WHAT = 'a crossing'

export const crossingKind: QuestionKind = {
  title: ({ factor, of }) => `crossing of ${of} along ${factor}`,
  contrasts({ factor, of, scale }, asked) {
    const ordered = orderedFactor(asked, WHAT, factor, scale)
    const [, lines] = twoFactors(asked, WHAT, factor, of)
    const [first, ...others] = lines.levels as [Level, ...Level[]]
    return others.map((level) => crossingOf(asked, ordered, lines, [first, level]))
  },
}

function crossingOf(asked: Asked, along: OrderedFactor, lines: Factor, two: readonly [Level, Level]): Contrast {
  const { name, levels, places, scale } = along
  const crossing = crossingIn(asked)
  const [base, own] = two.map((line) =>
    levels.map((level) => variantsWith(crossing, [lines.name, line], [name, level])),
  ) as [string[][], string[][]]
  const differences = (value: SeedValues['value']) =>
    own.map((variants, place) => meanOf(variants.map(value)) - meanOf((base[place] as string[]).map(value)))
  const [low, high] = [levels[0] as number, levels.at(-1) as number]
  return {
    name: `${lines.name} ${two[1]} instead of ${two[0]} along ${name}${overText(crossing, name, lines.name)}`,
    variants: [...base.flat(), ...own.flat()],
    of(value) {
      const { at0, slope } = lineThrough(places, differences(value))
      const place = -at0 / slope
      const level = scale === 'log' ? 2 ** place : place
      return level >= low && level <= high ? level : null
    },
    unitless: true,
    oriented: false,
    test: (seeds) => changeOfSign(ends(seeds.map(({ value }) => differences(value)))),
    words(judged, seeds, meaning) {
      const { claim, seeds: crossed } = judged
      const found = ends(seeds.map(({ value }) => differences(value)))
      const sides = found.map((end) => sideText(meanOf(end), meaning))
      const where = `the lines of ${crossed} of ${plural(seeds.length, 'seed')} cross between ${low} and ${high}`
      if (claim === 'different' && crossed > 0) {
        return { ...onlyClaim(`${sides[1]} from ${name} ${placeText(judged)} on, ${sides[0]} below`), more: [where] }
      }
      const start = { different: '', 'too few': 'too few seeds: ' }[claim as string] ?? 'no crossing shown: '
      const [p, q] = found.map((end) => significant(flipped(end).p))
      const at = crossed > 0 ? `, in the mean at ${placeText(judged)}` : ''
      const claimed = `${start}${sides[0]} at ${name} ${low} (p = ${p}), ${sides[1]} at ${high} (p = ${q})`
      return { ...onlyClaim(claimed), more: [`${where}${at}`] }
    },
  }
}

/** The first and the last difference of each seed. */
function ends(seeds: readonly (readonly number[])[]): [first: number[], last: number[]] {
  return [seeds.map((each) => each[0] as number), seeds.map((each) => each.at(-1) as number)]
}

/**
 * Whether the difference has one sign at one end and the other at the other: the larger p of two, since both have to be
 * shown (an intersection-union test: Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling", 1982), and each
 * two-sided, since either may be the positive one; 1 where the signs are the same.
 */
function changeOfSign(two: readonly [number[], number[]]): PValue {
  const [first, last] = two.map(flipped) as [PValue, PValue]
  const opposite = meanOf(two[0]) * meanOf(two[1]) < 0
  return { p: opposite ? Math.max(first.p, last.p) : 1, smallest: first.smallest }
}

function sideText(mean: number, { better }: MetricMeaning): string {
  const way = mean > 0 ? 'higher' : 'lower'
  return better ? (way === better ? 'better' : 'worse') : way
}

/** Where the lines cross in the mean, with its interval. */
function placeText({ difference, interval }: Judged): string {
  const place = difference ?? 0
  if (!interval) return String(Number(place.toPrecision(3)))
  const digits = digitsFor((interval.high - interval.low) / 2)
  return `${place.toFixed(digits)} (${levelText(interval)} ${interval.low.toFixed(digits)} to ${interval.high.toFixed(digits)})`
}
