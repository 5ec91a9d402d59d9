import { NAMES, PERSON, THING, TOPICS, VERBS } from './words.ts'

/**
 * A hierarchy of kinds. A term is a kind (`pianist`), one definite member of it (`the pianist`) or a name (`anna`). The
 * groups of people overlap as in life: nothing says that a pianist is no baker.
 */
const parents = new Map<string, string>()
for (const name of NAMES) parents.set(name, PERSON)
for (const { group, people, kind, things } of TOPICS) {
  parents.set(group, PERSON).set(kind, THING)
  for (const noun of people) parents.set(noun, group).set(`the ${noun}`, noun)
  for (const noun of things) parents.set(noun, kind).set(`the ${noun}`, noun)
}
for (const [concept, { kind }] of Object.entries(VERBS)) if (kind) parents.set(concept, kind)

const children = new Map<string, string[]>()
for (const [term, parent] of parents) children.set(parent, [...(children.get(parent) ?? []), term])

/** The next wider kind of a term or of the concept of a verb. */
export const parentOf = (term: string): string | undefined => parents.get(term)

/** The next narrower terms. */
export const narrowerTerms = (term: string): readonly string[] => children.get(term) ?? []

/** Whether a term stands for one individual. */
export const isIndividual = (term: string): boolean => term.startsWith('the ') || NAMES.includes(term)

/** Whether all that `narrow` stands for is also `wide`. */
export function isA(narrow: string, wide: string): boolean {
  for (let at: string | undefined = narrow; at; at = parents.get(at)) if (at === wide) return true
  return false
}
