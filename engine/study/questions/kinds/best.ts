import type { AskedQuestion } from '../../../records/question.ts'
import type { Factor, Level } from '../../design/crossing.ts'
import type { Claim } from '../../statistics/judgement.ts'
import { meanOf } from '../../summary.ts'
import { edgesText } from '../../tuning/edges.ts'
import { crossingIn, overText, twoFactors, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import type { Asked, Contrast, QuestionKind } from '../types.ts'

/**
 * Asks which level of a factor is better, and by how much, each at its own best level of another one, such as the rate. The
 * same seeds choose that level and are compared, so that choosing is part of the test and of the interval.
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

function eachAtItsBest(asked: Asked, own: Factor, tuned: Factor, [base, other]: readonly [Level, Level]): Contrast {
  const crossing = crossingIn(asked)
  const side = (level: Level, weight: number) => ({
    weight,
    choices: tuned.levels.map((choice) => variantsWith(crossing, [own.name, level], [tuned.name, choice])),
  })
  const options = [side(other, 1), side(base, -1)]
  const at = `each at its best ${tuned.name}${overText(crossing, own.name, tuned.name)}`
  return {
    name: `${own.name} ${other} instead of ${base}, ${at}`,
    sides: { own: `${own.name} ${other}`, other: `${own.name} ${base}` },
    at,
    variants: options.flatMap(({ choices }) => choices.flat()),
    options,
    of: (value) =>
      options.reduce((sum, { weight, choices: [first = []] }) => sum + weight * meanOf(first.map(value)), 0),
    atChosen(chosen) {
      const levels = chosen.map((place) => tuned.levels[place] as Level)
      const text = `${tuned.name} ${levels[0]} for ${other} and ${levels[1]} for ${base}`
      return [text, ...edgesText([{ name: tuned.name, levels: tuned.levels, chosen: levels }])]
    },
    short(claim, chosen) {
      const [first, second] = chosen.map((place) => tuned.levels[place] as Level)
      const at = chosen.length > 0 ? ` (${first} for ${other}, ${second} for ${base})` : ''
      return shortText(own.name, [base, other], claim, `${tuned.name}${at}`)
    },
  }
}

/** `block mixer is better than gmlp, each at its best lr (0.01 for mixer, 0.003 for gmlp)`. */
function shortText(name: string, [base, other]: readonly [Level, Level], claim: Claim, at: string): string {
  const each = `each at its best ${at}`
  if (claim === 'better') return `${name} ${other} is better than ${base}, ${each}`
  if (claim === 'worse') return `${name} ${base} is better than ${other}, ${each}`
  if (claim === 'equal') return `${name} ${other} and ${base} are equal within the margin, ${each}`
  return `which ${name} is better, ${base} or ${other}, ${each}, is not shown`
}
