import type { WorldDraws } from './draws.ts'
import { past } from './inflect.ts'
import { verbWord } from './say.ts'
import { individual } from './vary.ts'
import { ALONE, DAYS, MEN, NAMES, TO_PEOPLE, type Topic } from './words.ts'

/** Something that happened. `verb` is a concept; the others are words, individuals among them as `the pianist`. */
export interface Fact {
  verb: string
  subject: string
  object?: string | undefined
  place?: string | undefined
  day?: string | undefined
}

/** What can be asked for. */
export const ROLES = ['subject', 'object', 'place', 'day'] as const
export type Role = (typeof ROLES)[number]

/** Facts as sentences: where, in characters of `text`, it has what, fact by fact. A pronoun has no place. */
export interface Story {
  topic: Topic
  cast: string[]
  facts: Fact[]
  text: string
  places: Partial<Record<Role, number>>[]
}

/** A passage on a topic: few people, who do much the same to each other and to the same things. */
export function drawStory(draws: WorldDraws, topic: Topic, difficulty: number): Story {
  const cast: string[] = []
  while (cast.length < 3) {
    const next = individual(draws, topic)
    if (!cast.includes(next)) cast.push(next)
  }
  const facts: Fact[] = []
  const count = 3 + Math.round(4 * difficulty) + draws.below(2)
  while (facts.length < count) {
    const alike = facts.length > 0 && draws.chance(0.4 + 0.5 * difficulty)
    const { verb, subject, object } = alike
      ? another(draws, draws.pick(facts), cast, topic)
      : drawFact(draws, cast, topic)
    const place = draws.chance(0.6) ? draws.pick(topic.places) : undefined
    const day = draws.chance(0.5) ? draws.pick(DAYS) : undefined
    facts.push({ verb, subject, object, place, day })
  }
  let text = ''
  const places = facts.map((fact, i) => {
    const told = tell(draws, fact, pronounFor(fact, facts[i - 1]))
    const start = text === '' ? 0 : text.length + 1
    text += `${text && ' '}${told.text}`
    return Object.fromEntries(Object.entries(told.places).map(([role, at]) => [role, at + start]))
  })
  return { topic, cast, facts, text, places }
}

/** Who does what; without place and day. */
function drawFact(draws: WorldDraws, cast: string[], topic: Topic): Fact {
  const subject = draws.pick(cast)
  const sort = draws.below(5)
  if (sort === 0) return { verb: draws.pick(ALONE), subject }
  if (sort > 2) return { verb: draws.pick(topic.verbs), subject, object: `the ${draws.pick(topic.things)}` }
  return { verb: draws.pick(TO_PEOPLE), subject, object: draws.pick(cast.filter((one) => one !== subject)) }
}

/** A fact that differs from another in one thing, or in who did it to whom. */
export function another(draws: WorldDraws, fact: Fact, cast: string[], topic: Topic): Fact {
  const { verb, subject, object } = fact
  const others = cast.filter((one) => one !== subject && one !== object)
  const toPerson = object !== undefined && cast.includes(object)
  switch (draws.below(6)) {
    case 0:
    case 1:
      return toPerson ? { ...fact, subject: object, object: subject } : { ...fact, subject: draws.pick(others) }
    case 2:
      if (object === undefined) return { ...fact, subject: draws.pick(others) }
      return { ...fact, object: toPerson ? draws.pick(others) : `the ${draws.pick(topic.things)}` }
    case 3:
      return { ...fact, place: draws.pick(topic.places) }
    case 4:
      return { ...fact, day: draws.pick(DAYS) }
    default:
      return { ...fact, verb: draws.pick(ALONE.includes(verb) ? ALONE : toPerson ? TO_PEOPLE : topic.verbs) }
  }
}

/** `he` or `she` for whom the sentence before was about, if that names nobody else. */
function pronounFor({ subject }: Fact, before: Fact | undefined): string | undefined {
  const isClear = before?.subject === subject && !TO_PEOPLE.includes(before.verb) && NAMES.includes(subject)
  if (!isClear) return undefined
  return MEN.includes(subject) ? 'he' : 'she'
}

interface Part {
  text: string
  role?: Role
}

/** One of the wordings of a fact, and where in the sentence its parts are. */
function tell(
  draws: WorldDraws,
  fact: Fact,
  pronoun?: string,
): { text: string; places: Partial<Record<Role, number>> } {
  const { verb, subject, object, place, day } = fact
  const word = past(verbWord(draws, verb))
  const actor: Part = pronoun ? { text: pronoun } : { text: subject, role: 'subject' }
  const passive = object !== undefined && !pronoun && draws.chance(0.4)
  const affected: Part[] = object ? [{ text: object, role: 'object' }] : []
  const core = passive ? [...affected, { text: `was ${word} by` }, actor] : [actor, { text: word }, ...affected]
  const where: Part[] = place ? [{ text: 'at the' }, { text: place, role: 'place' }] : []
  const when: Part[] = day ? [{ text: 'on' }, { text: day, role: 'day' }] : []
  const fronted = day !== undefined && draws.chance(0.3)
  const parts = fronted ? [...when, { text: ',' }, ...core, ...where] : [...core, ...where, ...when]

  const places: Partial<Record<Role, number>> = {}
  let text = ''
  for (const part of parts) {
    if (part.role) places[part.role] = text.length
    text += `${part.text} `
  }
  return { text: `${text}.`, places }
}
