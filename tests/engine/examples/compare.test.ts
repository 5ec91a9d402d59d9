import { describe, expect, it } from 'vitest'
import { compareOutcomes } from '../../../engine/examples/compare.ts'
import { explain } from '../../../engine/examples/explain.ts'
import { selected } from '../../../engine/examples/select.ts'
import { causeText, comparisonText } from '../../../engine/examples/words.ts'
import type { Outcomes } from '../../../engine/records/outcomes/outcomes.ts'
import { packOutcomes, unpackOutcomes } from '../../../engine/records/outcomes/pack.ts'

const NAMES = ['run 1', 'run 2'] as const
const COUNT = 1000

/** Outcomes of 1,000 examples of two classes, wrong at those places. */
function classes(wrong: readonly number[]): Outcomes {
  const label = Array.from({ length: COUNT }, (_, i) => i % 2)
  const right = label.map((_, i) => Number(!wrong.includes(i)))
  const truth = right.map((each) => (each ? 0.9 : 0.2))
  return {
    ...{ kind: 'classes', tested: COUNT, index: label.map((_, i) => i), lossName: 'cross entropy' },
    ...{ classes: ['a', 'b'], label, right, truth, loss: truth.map((value) => -Math.log(value)) },
    predicted: label.map((value, i) => (right[i] ? value : 1 - value)),
    probability: right.map((each) => (each ? 0.9 : 0.8)),
  }
}

const numbers = (loss: number[]): Outcomes => ({
  ...{ kind: 'numbers', tested: loss.length, index: loss.map((_, i) => i), lossName: 'squared error', loss },
})

describe('compareOutcomes', () => {
  const alone = [3, 50, 51, 400, 401, 999]
  const other = [1, 2, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 500]

  it('finds the 20 of 1,000 examples on which two runs differ, and nothing else, also as they are kept', () => {
    const both = [10, 11, 12]
    const [a, b] = [classes([...other, ...both]), classes([...alone, ...both])]
    const kept = [a, b].map((each) => unpackOutcomes(packOutcomes({ test: each }) ?? new Uint8Array(), '').test)
    for (const [first, second] of [[a, b], kept] as [Outcomes, Outcomes][]) {
      const found = compareOutcomes(first, second, NAMES)
      expect(found.better).toEqual([alone, other])
      expect([found.equal, found.bothRight]).toEqual([980, 977])
      expect(comparisonText(found, NAMES)).toBe(
        "They disagree on 20 of 1000 examples: run 1 alone is right on 6, run 2 alone on 14. Both are right on 977 and wrong on 3. McNemar's exact test: p = 0.12.",
      )
    }
  })

  it('compares those that both keep', () => {
    const thin = { ...classes([4]), index: classes([]).index.map((i) => i + (i >= 500 ? 100 : 0)), tested: 1000 }
    const found = compareOutcomes(thin, { ...classes([]), tested: 1000 }, NAMES)
    expect(found.leads).toHaveLength(900)
    expect(found.better).toEqual([[], [4]])
  })

  it('counts who is closer where nothing is right or wrong', () => {
    const found = compareOutcomes(numbers([1, 2, 3, Number.NaN]), numbers([2, 2, 1, 0]), NAMES)
    expect(found.better).toEqual([[0], [2]])
    expect(comparisonText(found, NAMES)).toBe(
      'They differ on 2 of 4 examples: run 1 is better on 1, run 2 on 1. By a sign test, p = 1.',
    )
  })

  it('refuses other examples', () => {
    const compare = (second: Outcomes) => () => compareOutcomes(classes([]), second, NAMES)
    expect(compare(numbers([1]))).toThrow('run 1 and run 2: are of tasks of different kinds')
    expect(compare({ ...classes([]), tested: 9 })).toThrow('were tested on 1000 and 9 examples')
    expect(compare({ ...classes([]), label: classes([]).label?.map((value) => 1 - value) })).toThrow(
      'classes of these differ',
    )
  })
})

describe('explain', () => {
  it('names what was planted, with an interval', () => {
    const wrong = Array.from({ length: COUNT }, (_, i) => i).filter((i) => i % 10 > 6 && i % 4 === 0)
    const found = compareOutcomes(classes([]), classes(wrong), NAMES)
    const planted = found.leads.map((_, i) => ({ distance: i % 10, noise: (i * 7919) % 13 }))
    const causes = explain(found, { planted, groups: null })
    expect(causes.map(({ factor }) => factor)).toEqual(['distance', 'class', 'noise'])
    expect(causeText(causes, found.outcomes[0], NAMES)).toMatch(
      /^What tells them apart best is distance: from distance 1 to 9, the lead of run 1 over run 2 rises by \d+ points \(95% interval \d+ to \d+ points; p = 0.0015, Holm over 3 factors\)/,
    )
  })

  it('counts examples that depend on each other as one', () => {
    const found = compareOutcomes(
      numbers(Array(400).fill(1)),
      numbers(Array.from({ length: 400 }, (_, i) => 1 + Number(i >= 350))),
      NAMES,
    )
    const known = {
      planted: found.leads.map((_, i) => ({ time: Math.floor(i / 50) })),
      groups: found.leads.map((_, i) => Math.floor(i / 50)),
    }
    expect(explain(found, { ...known, groups: null })[0]?.adjusted).toBeLessThan(0.01)
    expect(explain(found, known)).toEqual([]) // one series of eight
    expect(causeText([], found.outcomes[0], NAMES)).toMatch(
      /^What tells them apart is not known: too few examples differ/,
    )
  })
})

describe('selected', () => {
  it('gives the wrong ones of a class taken for another, those of the largest loss first', () => {
    const outcomes = classes([1, 2, 3, 4])
    outcomes.loss[3] = Number.NaN
    expect(selected(outcomes, { which: 'wrong' })).toEqual([3, 1, 2, 4])
    expect(selected(outcomes, { which: 'wrong', label: 0, predicted: 1 })).toEqual([2, 4])
    expect(selected(outcomes, { which: 'right', label: 0, predicted: 1 })).toEqual([])
    expect(selected(outcomes, { which: 'all' })).toHaveLength(COUNT)
  })
})
