import type { AnswerSpan } from '../../types.ts'
import type { WorldDraws } from './draws.ts'
import { past } from './inflect.ts'
import { isA, parentOf } from './kinds.ts'
import { verbWord } from './say.ts'
import { another, drawStory, type Fact, ROLES, type Role, type Story } from './story.ts'
import { TO_PEOPLE, type Topic } from './words.ts'

/** What is asked for, and what is known of it. */
export interface Query {
  asked: Role
  known: Fact
}

export interface Question {
  story: Story
  query: Query
  question: string
  /** Null where the passage does not say it. */
  answer: AnswerSpan | null
}

/** A story and a question that exactly one of its facts answers, or none. */
export function drawQuestion(draws: WorldDraws, topic: Topic, answerable: boolean, difficulty: number): Question {
  for (;;) {
    const story = drawStory(draws, topic, difficulty)
    for (let tries = 0; tries < TRIES; tries++) {
      const query = drawQuery(draws, story, answerable, difficulty)
      const answer = query && answerTo(story, query)
      if (!answer || (answer !== 'none') !== answerable) continue
      return { story, query, question: wordQuestion(draws, query), answer: answer === 'none' ? null : answer }
    }
  }
}

/** Questions that are tried on a story before there is another story. */
const TRIES = 8

function drawQuery(draws: WorldDraws, story: Story, answerable: boolean, difficulty: number): Query | null {
  const fact = draws.pick(story.facts)
  const asked = draws.pick(ROLES)
  if (fact[asked] === undefined) return null
  const known = drawKnown(draws, fact, asked, difficulty)
  return { asked, known: answerable ? known : another(draws, known, story.cast, story.topic) }
}

/** Where the story has the answer; null where several facts are meant, or a pronoun. */
function answerTo(story: Story, query: Query): AnswerSpan | 'none' | null {
  const [which, ...more] = story.facts.flatMap((fact, i) => (answers(fact, query) ? [i] : []))
  if (which === undefined) return 'none'
  const start = story.places[which]?.[query.asked]
  if (start === undefined || more.length > 0) return null
  return { start, end: start + (story.facts[which]?.[query.asked] ?? '').length }
}

/** Whether a fact says what is asked for: it has it, and agrees with all that is known. */
export function answers(fact: Fact, { asked, known }: Query): boolean {
  return (
    fact[asked] !== undefined &&
    isA(fact.verb, known.verb) &&
    ROLES.every((role) => role === asked || known[role] === undefined || known[role] === fact[role])
  )
}

/** What a question says of the fact that it asks about: who and what, perhaps more, and the verb perhaps in a wider sense. */
function drawKnown(draws: WorldDraws, fact: Fact, asked: Role, difficulty: number): Fact {
  const wider = draws.chance(0.5 * difficulty) ? parentOf(fact.verb) : undefined
  const kept = (role: 'place' | 'day') => (role === asked || draws.chance(0.5) ? fact[role] : undefined)
  return { ...fact, verb: wider ?? fact.verb, place: kept('place'), day: kept('day') }
}

function wordQuestion(draws: WorldDraws, { asked, known }: Query): string {
  const { verb, subject, object, place, day } = known
  const word = verbWord(draws, verb)
  const passive = object !== undefined && draws.chance(0.4)
  const rest = [asked !== 'place' && place && `at the ${place}`, asked !== 'day' && day && `on ${day}`, '?']
  const line = (...words: (string | undefined)[]) => [...words, ...rest].filter(Boolean).join(' ')
  const what = TO_PEOPLE.some((concept) => isA(verb, concept)) ? 'who' : 'what'
  const how = asked === 'place' ? 'where' : 'when'
  if (asked === 'subject') return passive ? line('by whom was', object, past(word)) : line('who', past(word), object)
  if (asked === 'object')
    return passive ? line(what, 'was', past(word), 'by', subject) : line(what, 'did', subject, word)
  return passive ? line(how, 'was', object, past(word), 'by', subject) : line(how, 'did', subject, word, object)
}
