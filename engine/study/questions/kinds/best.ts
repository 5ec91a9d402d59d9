import { isBetter, type MetricMeaning } from '../../../records/meaning.ts'
import type { AskedQuestion } from '../../../records/question.ts'
import type { Factor, Level } from '../../design/crossing.ts'
import { flipped, type PValue } from '../../statistics/family.ts'
import type { Claim } from '../../statistics/judgement.ts'
import { type Judged, onlyClaim, plural, significant } from '../../statistics/sentences.ts'
import { swapTest } from '../../statistics/swap.ts'
import { meanOf } from '../../summary.ts'
import { edgesText } from '../../tuning/edges.ts'
import { crossingIn, overText, twoFactors, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import type { Asked, Contrast, QuestionKind, SeedValues } from '../types.ts'

/**
 * Asks which level of a factor is better, each at its own best level of another one, such as the rate: the level with the best
 * mean of validation over the seeds, or of the compared metric where there is no validation. How much better it is the same
 * seeds cannot say.
 */
export function best(factor: string, options: { over: string }): AskedQuestion {
  return questionAbout('best', factor, options, 'over')
}

export const bestKind: QuestionKind = {
  title: ({ factor, over }) => `${factor}, each at its best ${over}`,
  supposes: ({ over }) => `where one ${over} is clearly the best`,
  contrasts({ factor, over }, asked) {
    const [own, tuned] = twoFactors(asked, 'the best', factor, over)
    const [first, ...others] = own.levels as [Level, ...Level[]]
    return others.map((level) => eachAtItsBest(asked, own, tuned, [first, level]))
  },
}

/** What a seed has at each level that is chosen from, of one side. */
interface Row {
  chosenBy: number[]
  compared: number[]
}

function eachAtItsBest(asked: Asked, own: Factor, tuned: Factor, two: readonly [Level, Level]): Contrast {
  const crossing = crossingIn(asked)
  const cells = two.map((level) =>
    tuned.levels.map((choice) => variantsWith(crossing, [own.name, level], [tuned.name, choice])),
  ) as [string[][], string[][]]
  const variants = cells.flat(2)
  const table = (seeds: readonly SeedValues[]) => {
    const isValidated = hasValidation(seeds, variants)
    return seeds.map((seed) => cells.map((side) => rowOf(side, seed, isValidated)) as [Row, Row])
  }
  const chosen = (seeds: readonly SeedValues[], meaning: MetricMeaning) => {
    const rows = table(seeds)
    return [0, 1].map((side) =>
      choiceOf(
        rows.map((row) => row[side] as Row),
        meaning,
      ),
    ) as [number, number]
  }
  return {
    name: `${own.name} ${two[1]} instead of ${two[0]}, each at its best ${tuned.name}${overText(crossing, own.name, tuned.name)}`,
    variants,
    sized: false,
    unitless: true,
    of: () => null, // what is compared the seeds choose
    given(seeds, meaning) {
      const [base, other] = chosen(seeds, meaning).map((choice, side) => cells[side]?.[choice] ?? []) as [
        string[],
        string[],
      ]
      return (value) => meanOf(other.map(value)) - meanOf(base.map(value))
    },
    test: (seeds, meaning) => (meaning.better ? bestTest(table(seeds), meaning) : flipped([])),
    short(claim, seeds, meaning) {
      const levels = chosen(seeds, meaning).map((choice) => tuned.levels[choice] as Level)
      return shortText(own.name, two, claim, `${tuned.name} (${levels[1]} for ${two[1]}, ${levels[0]} for ${two[0]})`)
    },
    words(judged, seeds, meaning) {
      if (!meaning.better) return onlyClaim('no verdict: which way is better is not known')
      const levels = chosen(seeds, meaning).map((choice) => tuned.levels[choice] as Level)
      const by = hasValidation(seeds, variants) ? 'validation' : 'the compared metric itself'
      const at = `${tuned.name} ${levels[1]} for ${two[1]} and ${levels[0]} for ${two[0]}, chosen by ${by}`
      return {
        ...onlyClaim(claimText(judged, seeds.length)),
        more: [
          at,
          ...edgesText([{ name: tuned.name, levels: tuned.levels, chosen: levels }]),
          `no interval, since these seeds chose ${tuned.name}: by how much, only fresh ones can say`,
        ],
      }
    },
  }
}

function hasValidation(seeds: readonly SeedValues[], variants: readonly string[]): boolean {
  return seeds.every(({ validation }) => variants.every((variant) => Number.isFinite(validation(variant))))
}

function rowOf(side: readonly string[][], { value, validation }: SeedValues, isValidated: boolean): Row {
  const compared = side.map((variants) => meanOf(variants.map(value)))
  return {
    compared,
    chosenBy: isValidated
      ? side.map((variants) => meanOf(variants.map((each) => validation(each) ?? Number.NaN)))
      : compared,
  }
}

/** The place with the best mean over the seeds; of equal ones the first. */
function choiceOf(rows: readonly Row[], meaning: MetricMeaning): number {
  const sums = totals(rows.map(({ chosenBy }) => chosenBy))
  return sums.reduce((found, sum, place) => (isBetter(sum, sums[found] as number, meaning) ? place : found), 0)
}

function totals(rows: readonly (readonly number[])[]): number[] {
  const sums = (rows[0] ?? []).map(() => 0)
  for (const row of rows) for (const [place, value] of row.entries()) sums[place] = (sums[place] as number) + value
  return sums
}

/** The difference of the two sides, each at its choice, by swaps of the sides within seeds that repeat the choice. */
function bestTest(seeds: readonly (readonly [Row, Row])[], meaning: MetricMeaning): PValue {
  return swapTest(seeds.length, (isSwapped) => {
    const [base, other] = [0, 1].map((side) => {
      const rows = seeds.map((row, seed) => row[isSwapped(seed) ? 1 - side : side] as Row)
      const choice = choiceOf(rows, meaning)
      return rows.reduce((sum, { compared }) => sum + (compared[choice] as number), 0)
    }) as [number, number]
    return other - base
  })
}

/** `block mixer is better than gmlp, each at its best lr (0.01 for mixer, 0.003 for gmlp)`. */
function shortText(name: string, [base, other]: readonly [Level, Level], claim: Claim, at: string): string {
  const each = `each at its best ${at}`
  if (claim === 'better') return `${name} ${other} is better than ${base}, ${each}`
  if (claim === 'worse') return `${name} ${base} is better than ${other}, ${each}`
  return `which ${name} is better, ${base} or ${other}, ${each}, is not shown`
}

function claimText({ claim, wins, ties, losses, p, adjusted }: Judged, seeds: number): string {
  const of = `of ${plural(seeds, 'seed')}`
  if (claim === 'better' || claim === 'worse') {
    return `${claim}, ${claim === 'better' ? wins : losses} ${of}, p ${significant(adjusted ?? 1)}`
  }
  const start = claim === 'too few' ? 'too few seeds' : 'no difference shown'
  return `${start}: better on ${wins}${ties > 0 ? `, equal on ${ties}` : ''} ${of}, p ${significant(p ?? 1)}`
}
