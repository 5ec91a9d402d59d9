import type { WorldDraws } from './draws.ts'
import { isIndividual, narrowerTerms, parentOf } from './kinds.ts'
import { type Event, negation, type Statement } from './statement.ts'
import { ALONE, NAMES, PERSON, TO_PEOPLE, type Topic } from './words.ts'

const MAX_COUNT = 5 // largest count
const FORMS = ['atLeast', 'fewer', 'every', 'notEvery'] as const

/** A statement of a topic. As many are negative as positive, and as many on individuals as on kinds. */
export function drawStatement(draws: WorldDraws, topic: Topic): Statement {
  const subject = draws.chance(0.5) ? individual(draws, topic) : draws.pick([...topic.people, topic.group, PERSON])
  const statement = {
    form: draws.pick(FORMS),
    count: 1 + draws.below(MAX_COUNT - 1),
    subject,
    event: drawEvent(draws, topic),
  }
  return tidy(statement)
}

/** Somebody of a topic: by name, or the one with a profession. */
export function individual(draws: WorldDraws, topic: Topic): string {
  return draws.chance(0.5) ? draws.pick(NAMES) : `the ${draws.pick(topic.people)}`
}

function drawEvent(draws: WorldDraws, topic: Topic): Event {
  const place = draws.chance(0.4) ? draws.pick(topic.places) : undefined
  const sort = draws.below(5)
  if (sort === 0) return { verb: draws.pick(ALONE), place }
  if (sort < 3) return { verb: draws.pick(TO_PEOPLE), object: individual(draws, topic), place }
  const object = draws.chance(0.5) ? `the ${draws.pick(topic.things)}` : draws.pick([...topic.things, topic.kind])
  return { verb: draws.pick(topic.verbs), object, place }
}

/** A statement that says nearly the same: `edits` times something in it is made wider, narrower, another or negated. */
export function vary(draws: WorldDraws, statement: Statement, topic: Topic, edits: number): Statement {
  let at = statement
  for (let i = 0; i < edits; i++) at = tidy(draws.pick(EDITS)(draws, at, topic))
  return at
}

type Edit = (draws: WorldDraws, statement: Statement, topic: Topic) => Statement

const EDITS: readonly Edit[] = [
  (_, statement) => negation(statement),
  (draws, statement) => ({ ...statement, form: draws.pick(FORMS) }),
  (draws, statement) => ({
    ...statement,
    count: Math.min(MAX_COUNT, Math.max(1, statement.count + draws.pick([-1, 1]))),
  }),
  (draws, statement) => ({ ...statement, subject: near(draws, statement.subject) }),
  (draws, statement) => withEvent(statement, { verb: near(draws, statement.event.verb) }),
  (draws, statement) => {
    const { object } = statement.event
    return object ? withEvent(statement, { object: near(draws, object) }) : statement
  },
  (draws, statement, { places }) =>
    withEvent(statement, { place: statement.event.place && draws.chance(0.7) ? undefined : draws.pick(places) }),
  (_, statement) => {
    const { object } = statement.event
    const swaps = object && TO_PEOPLE.includes(statement.event.verb) && isIndividual(statement.subject)
    return swaps ? { ...withEvent(statement, { object: statement.subject }), subject: object } : statement
  },
]

const withEvent = (statement: Statement, change: Partial<Event>): Statement => ({
  ...statement,
  event: { ...statement.event, ...change },
})

/** A term one step wider or narrower, or another one of the same kind. */
function near(draws: WorldDraws, term: string): string {
  const parent = parentOf(term)
  const narrower = narrowerTerms(term)
  const others = parent ? narrowerTerms(parent).filter((other) => other !== term) : []
  const choices = [parent ? [parent] : [], narrower, others].filter((terms) => terms.length > 0)
  return choices.length > 0 ? draws.pick(draws.pick(choices)) : term
}

/** Nobody does things to himself, and only members of kinds are counted. */
function tidy({ form, count, subject, event }: Statement): Statement {
  const own = subject === event.object ? { verb: 'rest', place: event.place } : event
  const counted = !isIndividual(subject) && (form === 'atLeast' || form === 'fewer')
  return { form: isIndividual(subject) ? SINGLE[form] : form, count: counted ? count : 1, subject, event: own }
}

/** The forms for an individual. */
const SINGLE = { atLeast: 'atLeast', fewer: 'fewer', every: 'atLeast', notEvery: 'fewer' } as const
