import type { AskedQuestion } from '../../../records/question.ts'
import type { QuestionKind } from '../types.ts'

/** Asks whether each variant is better than the first one. */
export function pairs(): AskedQuestion {
  return { ask: 'pairs' }
}

export const pairsKind: QuestionKind = {
  title: () => 'each variant against the first',
  contrasts(_, { variants: [first = '', ...others] }) {
    return others.map((variant) => ({
      name: `${variant} against ${first}`,
      variants: [first, variant],
      sides: { own: variant, other: first },
      of: (value) => value(variant) - value(first),
    }))
  },
}
