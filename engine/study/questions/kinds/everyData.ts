import { isShare } from '../../../records/meaning.ts'
import type { AskedQuestion } from '../../../records/question.ts'
import type { Level } from '../../design/crossing.ts'
import { digitsFor, judgedParts, signedText } from '../../statistics/sentences.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, overText, twoFactors, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import type { QuestionKind, SeedValues } from '../types.ts'

/** Asks for the effect of a factor over all data sets, which are the levels of another one, and how it is spread over them. */
export function everyData(factor: string, options: { over: string }): AskedQuestion {
  return questionAbout('everyData', factor, options, 'over')
}

/** So many data sets are named. */
const MAX_NAMED = 4

export const everyDataKind: QuestionKind = {
  title: ({ factor, over }) => `effect of ${factor} over all ${over}`,
  contrasts({ factor, over }, asked) {
    const [own, data] = twoFactors(asked, 'the effect', factor, over)
    const crossing = crossingIn(asked)
    const [first, ...others] = own.levels as [Level, ...Level[]]
    const cell = (level: Level, set: Level) => variantsWith(crossing, [own.name, level], [data.name, set])
    const sets = data.levels.length <= MAX_NAMED ? data.levels.join(', ') : `${data.levels.length} levels`
    return others.map((level) => {
      const cells = data.levels.map((set) => [cell(first, set), cell(level, set)] as const)
      const differences = (value: SeedValues['value']) =>
        cells.map(([base, own]) => meanOf(own.map(value)) - meanOf(base.map(value)))
      const at = `over ${data.name} ${sets}${overText(crossing, own.name, data.name)}`
      return {
        name: `${own.name} ${level} instead of ${first}, ${at}`,
        sides: { own: `${own.name} ${level}`, other: `${own.name} ${first}` },
        at,
        variants: cells.flat(2),
        of: (value) => meanOf(differences(value)),
        words(judged, seeds, meaning) {
          const all = seeds.map(({ value }) => differences(value))
          const means = data.levels.map((set, place) => ({
            set,
            mean: meanOf(all.map((each) => each[place] as number)),
          }))
          const sorted = means.toSorted((a, b) => a.mean - b.mean) as [(typeof means)[0], ...typeof means]
          const [low, high] = [sorted[0], sorted.at(-1) ?? sorted[0]]
          const [scale, unit] = isShare(meaning) ? [100, ' points'] : [1, '']
          const digits = Math.max(isShare(meaning) ? 1 : 0, digitsFor((scale * (high.mean - low.mean)) / 2))
          const text = ({ mean, set }: typeof low) => `${signedText(scale * mean, digits)}${unit} (${set})`
          const better = means.filter(({ mean }) => (meaning.better === 'lower' ? mean < 0 : mean > 0)).length
          const side = meaning.better ? 'better' : 'higher'
          const said = judgedParts(judged)
          const range = `from ${text(low)} to ${text(high)}, ${side} on ${better} of ${means.length} levels of ${data.name}`
          return { ...said, more: [...(said.more ?? []), range] }
        },
      }
    })
  },
}
