import type { VariantDesign } from '../../records/design.ts'
import type { AskedQuestion } from '../../records/question.ts'
import { askedOf, isFactorial } from './asked.ts'
import { ask, QUESTIONS } from './index.ts'

/**
 * What a study asks: what it says, or else, where its variants are a crossing of several factors, the effect of each factor and the
 * interaction of each two; undefined for how its variants compare to the first. Throws MixlabError `option` for a question
 * that the study cannot answer.
 */
export function questionsOf(
  study: string,
  given: readonly AskedQuestion[] | undefined,
  variants: readonly VariantDesign[],
): AskedQuestion[] | undefined {
  const asked = askedOf(study, variants)
  for (const question of given ?? []) QUESTIONS[question.ask]?.contrasts(question, asked)
  if (given) return [...given]
  return isFactorial(asked) ? defaultQuestions(asked.crossing.factors.map(({ name }) => name)) : undefined
}

function defaultQuestions(factors: readonly string[]): AskedQuestion[] {
  const two = factors.flatMap((one, place) => factors.slice(place + 1).map((other) => ask.interaction(one, other)))
  return [...factors.map(ask.effect), ...two]
}
