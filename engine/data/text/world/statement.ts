import { isA } from './kinds.ts'

/** What somebody did. `verb` is a concept, `object` a term; an event at a place is also an event at no place. */
export interface Event {
  verb: string
  object?: string | undefined
  place?: string | undefined
}

/** How many of the subject did it: at least or fewer than `count`, every one or not every one. */
export type Form = 'atLeast' | 'fewer' | 'every' | 'notEvery'

/** A statement on how many of `subject` took part in an event. `count` is 1 for individuals and for (not) every. */
export interface Statement {
  form: Form
  count: number
  subject: string
  event: Event
}

/** The classes of pairs; a label is an index into them. */
export const RELATIONS = ['entailment', 'neutral', 'contradiction'] as const
export type Relation = (typeof RELATIONS)[number]

const OPPOSITE: Record<Form, Form> = { atLeast: 'fewer', fewer: 'atLeast', every: 'notEvery', notEvery: 'every' }

/** The statement that is true wherever this one is false. */
export function negation(statement: Statement): Statement {
  return { ...statement, form: OPPOSITE[statement.form] }
}

/** What follows for `hypothesis` where `premise` is true. Every kind is taken to have members. */
export function relation(premise: Statement, hypothesis: Statement): Relation {
  if (entails(premise, hypothesis)) return 'entailment'
  return entails(premise, negation(hypothesis)) ? 'contradiction' : 'neutral'
}

/** Monotonicity: which of subject and event may get wider, and which narrower, depends on the two forms. */
function entails(a: Statement, b: Statement): boolean {
  const wider = isA(a.subject, b.subject)
  const narrower = isA(b.subject, a.subject)
  const widerEvent = includes(b.event, a.event)
  const narrowerEvent = includes(a.event, b.event)
  switch (`${a.form} ${b.form}` as const) {
    case 'atLeast atLeast':
      return a.count >= b.count && wider && widerEvent
    case 'fewer fewer':
      return a.count <= b.count && narrower && narrowerEvent
    case 'every every':
      return narrower && widerEvent
    case 'notEvery notEvery':
      return wider && narrowerEvent
    case 'every atLeast':
      return b.count === 1 && (wider || narrower) && widerEvent
    case 'fewer notEvery':
      return a.count === 1 && (wider || narrower) && narrowerEvent
    default:
      return false
  }
}

/** Whether every event like `narrow` is also one like `wide`. */
function includes(wide: Event, narrow: Event): boolean {
  const same = (wide.object === undefined) === (narrow.object === undefined)
  return (
    same &&
    isA(narrow.verb, wide.verb) &&
    (wide.object === undefined || isA(narrow.object ?? '', wide.object)) &&
    (wide.place === undefined || wide.place === narrow.place)
  )
}
