import type { AskedQuestion } from '../../../records/question.ts'
import { meanOf } from '../../summary.ts'
import { crossingIn, factorOf, variantsWith } from '../factors.ts'
import type { QuestionKind } from '../types.ts'

/**
 * Asks for the main effect of a factor: each of its levels against the first one, over all levels of the other factors
 * alike.
 */
export function effect(factor: string): AskedQuestion {
  return { ask: 'effect', factor }
}

export const effectKind: QuestionKind = {
  title: ({ factor }) => `effect of ${factor}`,
  contrasts({ factor }, asked) {
    const crossing = crossingIn(asked)
    const { name, levels } = factorOf(asked, factor)
    const [first, ...others] = levels
    const rest = crossing.factors.filter((factor) => factor.name !== name).map((factor) => factor.name)
    const over = rest.length > 0 ? `, over all ${rest.join(' and ')}` : ''
    const variants = (level: (typeof levels)[number] | undefined) =>
      level === undefined ? [] : variantsWith(crossing, name, level)
    return others.map((level) => {
      const [base, own] = [variants(first), variants(level)]
      return {
        name: `${name} ${level} instead of ${first}${over}`,
        variants: [...base, ...own],
        of: (value) => meanOf(own.map(value)) - meanOf(base.map(value)),
      }
    })
  },
}
