import type { WorldDraws } from './draws.ts'
import { past, pluralOf, withArticle } from './inflect.ts'
import { isIndividual } from './kinds.ts'
import type { Statement } from './statement.ts'
import { NUMBERS, VERBS } from './words.ts'

/** One of the words for the concept of a verb, in its base form. */
export function verbWord(draws: WorldDraws, concept: string): string {
  return draws.pick(VERBS[concept]?.words ?? [concept])
}

/** A term as a noun phrase: individuals by their name, a kind as any of its members. */
function member(draws: WorldDraws, term: string, article: 'some' | 'any' | 'a'): string {
  if (isIndividual(term)) return term
  return article === 'a' || draws.chance(0.5) ? withArticle(term) : `${article} ${term}`
}

/** One of the ways to word a statement as a clause in the past, active or passive. */
export function say(draws: WorldDraws, statement: Statement): string {
  const { form, subject, event } = statement
  const word = verbWord(draws, event.verb)
  const object = event.object && member(draws, event.object, articleOf(statement))
  const not = form === 'fewer' && isIndividual(subject)
  const actor = not ? subject : actors(draws, statement)
  const passive = object && isIndividual(event.object ?? '') && draws.chance(0.4)
  const words = passive
    ? [object, not ? 'was not' : 'was', past(word), 'by', actor]
    : [actor, not ? `did not ${word}` : past(word), object]
  return [...words, event.place && `at the ${event.place}`].filter(Boolean).join(' ')
}

/** The noun phrase that says how many of the subject. */
function actors(draws: WorldDraws, { form, count, subject }: Statement): string {
  const many = pluralOf(subject)
  switch (form) {
    case 'every':
      return draws.pick([`every ${subject}`, `all ${many}`, `all the ${many}`])
    case 'notEvery':
      return draws.pick([`not every ${subject}`, `not all ${many}`, `not all the ${many}`])
    case 'fewer':
      if (count === 1) return draws.pick([`no ${subject}`, `no ${many}`])
      return count === 2 || draws.chance(0.5)
        ? `fewer than ${NUMBERS[count]} ${many}`
        : `at most ${NUMBERS[count - 1]} ${many}`
    case 'atLeast':
      if (count === 1) return member(draws, subject, 'some')
      return count === 2 || draws.chance(0.5)
        ? `at least ${NUMBERS[count]} ${many}`
        : `more than ${NUMBERS[count - 1]} ${many}`
  }
}

/** `some` would be a certain one where there are several who act, or none. */
function articleOf({ form, count }: Statement): 'some' | 'any' | 'a' {
  if (form === 'fewer' || form === 'notEvery') return 'any'
  return form === 'atLeast' && count === 1 ? 'some' : 'a'
}
