import type { AskedQuestion } from '../../../records/question.ts'
import type { Level } from '../../design/crossing.ts'
import { isNumeric } from '../../design/spacing.ts'
import { judgedParts, plural, significant } from '../../statistics/sentences.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, factorOf, overText, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import type { QuestionKind, SeedValues } from '../types.ts'

/**
 * Asks whether the metric rises, or falls, along the levels of a factor: numbers by size, others in the order of the study. How
 * much the slope says.
 */
export function trend(factor: string): AskedQuestion {
  return questionAbout('trend', factor)
}

export const trendKind: QuestionKind = {
  title: ({ factor }) => `trend along ${factor}`,
  contrasts({ factor: wanted }, asked) {
    const factor = factorOf(asked, wanted)
    const crossing = crossingIn(asked)
    const levels = isNumeric(factor) ? factor.levels.toSorted((a, b) => a - b) : factor.levels
    const at = levels.map((level) => variantsWith(crossing, [factor.name, level]))
    const scores = maximinScores(levels.length)
    const means = (value: SeedValues['value']) => at.map((variants) => meanOf(variants.map(value)))
    return [
      {
        name: `${factor.name} ${levels.join(', ')}${overText(crossing, factor.name)}`,
        variants: at.flat(),
        of: (value) => means(value).reduce((sum, mean, place) => sum + mean * (scores[place] as number), 0),
        say: { more: 'rises', less: 'falls', none: 'no trend shown', mean: 'weighted difference' },
        words(judged, seeds) {
          const { claim, difference, wins, losses, adjusted } = judged
          const said = judgedParts(judged)
          if (claim !== 'different') return said
          const [way, count] = (difference ?? 0) > 0 ? ['rises', wins] : ['falls', losses]
          const all = seeds.map(({ value }) => means(value))
          const path = levels.map((level, place) => ({ level, mean: meanOf(all.map((each) => each[place] as number)) }))
          const figures = [`${count} of ${plural(seeds.length, 'seed')}`, `p = ${significant(adjusted ?? 1)}`]
          return { ...said, claim: [`${way} with ${factor.name}`], figures, more: against(path, way) }
        },
      },
    ]
  },
}

/** Which levels lie the other way, seen from the one before. */
function against(path: readonly { level: Level; mean: number }[], way: string): string[] {
  const found = path.slice(1).flatMap(({ level, mean }, i) => {
    const before = path[i] as (typeof path)[number]
    const [isBack, side] = way === 'rises' ? [mean < before.mean, 'below'] : [mean > before.mean, 'above']
    return isBack ? [`${level} lies ${side} ${before.level}`] : []
  })
  return found.length > 0 ? [`not at every level: ${found.join(', ')}`] : []
}

/**
 * Scores of `count` ordered levels that make the worst case best: of all contrasts the one with the largest smallest
 * correlation with any rising sequence (Abelson and Tukey, "Efficient Utilization of Non-Numerical Information in
 * Quantitative Analysis", 1963), here with positive ones that add up to 1.
 */
export function maximinScores(count: number): number[] {
  const root = (place: number) => Math.sqrt(place * (1 - place / count))
  const scores = Array.from({ length: count }, (_, place) => root(place) - root(place + 1))
  const positive = scores.filter((score) => score > 0).reduce((sum, score) => sum + score, 0)
  return scores.map((score) => score / positive)
}
