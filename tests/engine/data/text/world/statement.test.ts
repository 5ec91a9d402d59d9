import { describe, expect, it } from 'vitest'
import { negation, relation, type Statement } from '../../../../../engine/data/text/world/statement.ts'

const say = (
  form: Statement['form'],
  subject: string,
  verb = 'wash',
  object = 'the piano',
  count = 1,
  place?: string,
) => ({ form, subject, count, event: { verb, object, place } }) satisfies Statement

describe('relation', () => {
  it.each([
    [
      'the pianist washed it: a musician cleaned it',
      say('atLeast', 'the pianist'),
      say('atLeast', 'musician', 'clean'),
    ],
    ['every musician did: every pianist did', say('every', 'musician'), say('every', 'pianist')],
    ['every musician did: the drummer did', say('every', 'musician'), say('atLeast', 'the drummer')],
    ['no person cleaned it: anna did not wash it', say('fewer', 'person', 'clean'), say('fewer', 'anna')],
    ['no pianist did: not every musician did', say('fewer', 'pianist'), say('notEvery', 'musician')],
    [
      'three did: two did',
      say('atLeast', 'pianist', 'wash', 'piano', 3),
      say('atLeast', 'pianist', 'wash', 'piano', 2),
    ],
    ['at the gym: at all', say('atLeast', 'anna', 'wash', 'piano', 1, 'gym'), say('atLeast', 'anna', 'wash', 'piano')],
  ])('%s', (_, premise, hypothesis) => {
    expect(relation(premise, hypothesis)).toBe('entailment')
    expect(relation(premise, negation(hypothesis))).toBe('contradiction')
    expect(relation(negation(hypothesis), premise)).toBe('contradiction')
  })
  it.each([
    ['a musician did: the pianist?', say('atLeast', 'musician'), say('atLeast', 'the pianist')],
    ['anna cleaned it: washed it?', say('atLeast', 'anna', 'clean'), say('atLeast', 'anna', 'wash')],
    ['anna did: the pianist, who may be anna?', say('atLeast', 'anna'), say('fewer', 'the pianist')],
    ['every pianist did: every musician?', say('every', 'pianist'), say('every', 'musician')],
    ['every person did: two did?', say('every', 'person'), say('atLeast', 'person', 'wash', 'the piano', 2)],
    ['a piano: the piano?', say('atLeast', 'anna', 'wash', 'piano'), say('atLeast', 'anna')],
    [
      'not at the gym: not at all?',
      say('fewer', 'anna', 'wash', 'piano', 1, 'gym'),
      say('fewer', 'anna', 'wash', 'piano'),
    ],
  ])('%s', (_, premise, hypothesis) => {
    expect(relation(premise, hypothesis)).toBe('neutral')
  })
})
