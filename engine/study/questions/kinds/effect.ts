import type { AskedQuestion } from '../../../records/question.ts'
import type { Level } from '../../design/crossing.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, factorOf, overText, variantsWith } from '../factors.ts'
import { questionAbout } from '../options.ts'
import type { QuestionKind } from '../types.ts'

/**
 * Asks for the main effect of a factor: each of its levels against the first one, over all levels of the other factors
 * alike.
 */
export function effect(factor: string): AskedQuestion {
  return questionAbout('effect', factor)
}

export const effectKind: QuestionKind = {
  title: ({ factor }) => `effect of ${factor}`,
  contrasts({ factor }, asked) {
    const { name, levels } = factorOf(asked, factor)
    const crossing = crossingIn(asked)
    const at = (level: Level) => variantsWith(crossing, [name, level])
    const [first, ...others] = levels as [Level, ...Level[]]
    const base = at(first)
    return others.map((level) => {
      const own = at(level)
      return {
        name: `${name} ${level} instead of ${first}${overText(crossing, name)}`,
        variants: [...base, ...own],
        sides: { own: `${name} ${level}`, other: `${name} ${first}` },
        at: overText(crossing, name).replace(/^, /, ''),
        of: (value: (variant: string) => number) => meanOf(own.map(value)) - meanOf(base.map(value)),
      }
    })
  },
}
