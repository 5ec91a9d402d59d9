import { describe, expect, it } from 'vitest'
import { type Answered, normalised } from '../../../engine/evaluate/answers.ts'
import { exact, f1 } from '../../../engine/evaluate/index.ts'

const source = (answers: Answered[]) => ({ add: () => {}, answers: () => answers })
const scores = (said: string, ...right: string[]) =>
  [exact, f1].map((metric) => metric(source([{ said, right }])).value())

describe('normalised', () => {
  it.each([
    ['The  Eiffel Tower!', 'eiffel tower'],
    ['an "A-team"', 'ateam'], // punctuation goes first, so that the article is one no more
    ['theatre, Anna and a cat', 'theatre anna and cat'],
    ['là-bas déa', 'làbas déa'], // articles end at letters of any language
    ['a\tthe\nan', ''],
    ['$5 — 1,000.50', '5 — 100050'],
  ])('%j is %j', (answer, bare) => {
    expect(normalised(answer)).toBe(bare)
  })
})

describe('exact and f1', () => {
  it.each([
    ['the cat', ['Cat.'], [1, 1]],
    ['a big cat', ['big dog'], [0, 0.5]],
    ['cat cat', ['cat'], [0, 2 / 3]], // a word counts as often as it is in both
    ['dog', ['cat'], [0, 0]],
    ['cat', ['black cat', 'cat', 'dog'], [1, 1]], // the best of several
    ['', [], [1, 1]],
    ['cat', [], [0, 0]],
    ['', ['cat'], [0, 0]],
    ['', ['the'], [1, 1]], // a right answer of which nothing is left is none
  ] as const)('of %j, where %j is right, are %j', (said, right, expected) => {
    expect(scores(said, ...right)).toEqual(expected)
  })

  it('are means over the questions', () => {
    const answers = [
      { said: 'cat', right: ['cat'] },
      { said: 'dog', right: ['big dog'] },
    ]
    expect(exact(source(answers)).value()).toBe(0.5)
    expect(f1(source(answers)).value()).toBeCloseTo(5 / 6)
  })
})
