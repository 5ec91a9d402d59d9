import type { Planted } from '../../types.ts'
import type { WorldDraws } from './draws.ts'
import { past, pluralOf } from './inflect.ts'
import { individual } from './vary.ts'
import { OPINIONS, type Topic } from './words.ts'

/** 0 negative, 1 positive; a label of the sentences. */
export type Sentiment = 0 | 1

/**
 * A sentence on a topic whose main clause has this `sentiment`. A clause is negated or not, a thing that is hated may
 * be called lovely, and a side clause has the other sentiment.
 */
export function drawOpinion(
  draws: WorldDraws,
  topic: Topic,
  sentiment: Sentiment,
  difficulty: number,
): { text: string; planted: Planted } {
  const main = drawClause(draws, topic, sentiment, difficulty)
  const kind = draws.chance(0.1 + 0.5 * difficulty) ? 'contrast' : draws.chance(0.3) ? 'both' : 'one'
  const opinion = (text: string, clauses: string) => ({
    text,
    planted: { clauses, negation: Number(main.negated), 'said not to be true': Number(main.denied) },
  })
  if (kind === 'one') return opinion(main.text, 'one')
  if (kind === 'both') {
    return opinion(`${main.text} , and ${drawClause(draws, topic, sentiment, difficulty).text}`, 'two that agree')
  }
  const side = drawClause(draws, topic, opposite(sentiment), difficulty).text
  const first = draws.pick([`although ${side} ,`, `${side} , but`, `even if ${side} ,`])
  if (draws.chance(0.5)) return opinion(`${first} ${main.text}`, 'contrast, main last')
  return opinion(`${main.text} , ${draws.pick(['although', 'even if'])} ${side}`, 'contrast, main first')
}

/** A clause with its negations: that it is said not to be true, and one inside of it. */
interface DrawnClause {
  text: string
  denied: boolean
  negated: boolean
}

function drawClause(draws: WorldDraws, topic: Topic, sentiment: Sentiment, difficulty: number): DrawnClause {
  const denied = draws.chance(0.3 * difficulty)
  const meant = denied ? opposite(sentiment) : sentiment
  const negated = draws.chance(0.1 + 0.6 * difficulty)
  const said = negated ? opposite(meant) : meant
  const clause = draws.pick([appearance, feeling, feeling, reaction])(draws, topic, said, negated, difficulty)
  return { text: denied ? `it was not true that ${clause}` : clause, denied, negated }
}

const opposite = (sentiment: Sentiment): Sentiment => (sentiment === 0 ? 1 : 0)

type Clause = (draws: WorldDraws, topic: Topic, said: Sentiment, negated: boolean, difficulty: number) => string

/** What a thing is like; the verb agrees with the thing, not with what is near it. */
const appearance: Clause = (draws, topic, said, negated, difficulty) => {
  const many = draws.chance(0.5)
  const subject = `the ${numbered(draws.pick(topic.things), many)}`
  const near = draws.chance(0.2 + 0.5 * difficulty)
    ? `${draws.pick(['near', 'behind'])} the ${numbered(draws.pick([...topic.things, ...topic.people]), draws.chance(0.5))}`
    : ''
  const be = many ? 'were' : 'was'
  const adverb = negated ? draws.pick(['not', 'never', 'far from', 'hardly']) : draws.pick(['', '', 'very', 'really'])
  return joined(subject, near, be, adverb, adjective(draws, said))
}

/** What people make of a thing. */
const feeling: Clause = (draws, topic, said, negated, difficulty) => {
  const verb = draws.pick(OPINIONS[said].verbs)
  const called = draws.chance(0.5 * difficulty) ? adjective(draws, draws.chance(0.5) ? 1 : 0) : ''
  const object = joined('the', called, draws.pick(topic.things))
  const nobody = negated && draws.chance(0.4)
  if (nobody) return joined(draws.pick(['nobody', `no ${draws.pick(topic.people)}`]), past(verb), object)
  return joined(individual(draws, topic), negated ? denial(draws, verb) : past(verb), object)
}

/** What people do who like or dislike it. */
const reaction: Clause = (draws, topic, said, negated) => {
  const verb = draws.pick(OPINIONS[said].reactions)
  const who = draws.chance(0.5) ? individual(draws, topic) : `the ${pluralOf(draws.pick(topic.people))}`
  return joined(who, negated ? denial(draws, verb) : past(verb), `at the ${draws.pick(topic.places)}`)
}

const denial = (draws: WorldDraws, verb: string) => (draws.chance(0.6) ? `did not ${verb}` : `never ${past(verb)}`)
const adjective = (draws: WorldDraws, sentiment: Sentiment) => draws.pickSloped(OPINIONS[sentiment].adjectives, 2)
const numbered = (noun: string, many: boolean) => (many ? pluralOf(noun) : noun)
const joined = (...words: string[]) => words.filter(Boolean).join(' ')
