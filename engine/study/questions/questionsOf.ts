import { MixlabError } from '../../errors.ts'
import type { VariantDesign } from '../../records/design.ts'
import type { AskedQuestion } from '../../records/question.ts'
import type { PlannedRun } from '../../records/run.ts'
import { askedOf, isFactorial } from './asked.ts'
import { ask, kindOf } from './index.ts'
import { simpleWhereInteracting } from './kinds/simple.ts'
import type { Correction } from './order.ts'
import { type Role, rolesOf } from './roles.ts'

/**
 * What a study asks: what it says, or else, where its variants are a crossing of several factors, what `defaultQuestions`
 * says; undefined for how its variants compare to the first. `planned` are its runs. Throws MixlabError `option` for a
 * question that the study cannot answer.
 */
export function questionsOf(
  study: string,
  given: readonly AskedQuestion[] | undefined,
  variants: readonly VariantDesign[],
  planned: readonly Pick<PlannedRun, 'variant' | 'spec'>[] = [],
  correction: Correction = 'order',
): AskedQuestion[] | undefined {
  const asked = askedOf(study, variants)
  for (const question of given ?? []) kindOf(question).contrasts(question, asked)
  if (given) return [...given]
  if (!isFactorial(asked)) return undefined
  const found = defaultQuestions(rolesOf(asked.crossing, planned))
  // in order they cost the others nothing; together each would count, told or not
  return correction === 'holm' ? found.filter(({ ask }) => ask !== 'simple') : found
}

/** Whether some variants can be asked all of some questions. */
export function canAsk(questions: readonly AskedQuestion[], variants: readonly VariantDesign[]): boolean {
  try {
    questionsOf('', questions, variants)
    return true
  } catch (error) {
    if (error instanceof MixlabError) return false
    throw error
  }
}

/**
 * The effect of each factor, the interaction of each two, and where one is shown the effects of the first at each level of
 * the second. Where one factor is the recipe and one the model, it comes first which model is better at its own best recipe,
 * and whether the effect of the one depends on the other. Where one factor is the data, effects are asked over all data sets,
 * and nobody asks whether one of these is harder.
 */
function defaultQuestions(roles: ReadonlyMap<string, Role>): AskedQuestion[] {
  const names = [...roles.keys()]
  const data = only(roles, 'data')
  const [model, recipe] = [only(roles, 'model'), only(roles, 'recipe')]
  const effects = names.flatMap((name) =>
    data === undefined ? [ask.effect(name)] : name === data ? [] : [ask.everyData(name, { over: data })],
  )
  const pairs = names.flatMap((one, place) => names.slice(place + 1).map((other) => [one, other] as const))
  if (model === undefined || recipe === undefined) {
    return [...effects, ...interactionsOf(pairs)]
  }
  const rest = pairs.filter((pair) => !(pair.includes(model) && pair.includes(recipe)))
  return [ask.best(model, { over: recipe }), ...interactionsOf([[model, recipe]]), ...effects, ...interactionsOf(rest)]
}

/** The one factor of a role, if it is the only one. */
function only(roles: ReadonlyMap<string, Role>, role: Role): string | undefined {
  const found = [...roles].filter((each) => each[1] === role)
  return found.length === 1 ? found[0]?.[0] : undefined
}

/** The interactions, and then for each, where it is shown, the effects at each level. */
function interactionsOf(pairs: readonly (readonly [string, string])[]): AskedQuestion[] {
  return [
    ...pairs.map(([one, other]) => ask.interaction(one, other)),
    ...pairs.map(([one, other]) => simpleWhereInteracting(one, other)),
  ]
}
