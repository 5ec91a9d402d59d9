import { describe, expect, it } from 'vitest'
import { keyOf, uniform } from '../../../../engine/random.ts'
import type { Outcomes } from '../../../../engine/records/outcomes/outcomes.ts'
import { MAX_BYTES, packOutcomes, unpackOutcomes } from '../../../../engine/records/outcomes/pack.ts'

const classes = ['a', 'b', 'c']

/** Outcomes of so many examples of `count` classes, a fifth of them wrong. */
function made(examples: number, count = 3, seed = 0): Outcomes {
  const draw = (name: string) => Array.from({ length: examples }, (_, i) => uniform(keyOf(seed, name), i))
  const label = draw('label').map((value) => Math.floor(value * count))
  const predicted = draw('wrong').map((value, i) => ((label[i] as number) + Number(value < 0.2)) % count)
  const probability = draw('sure').map((value) => 0.5 + value / 2)
  const truth = probability.map((value, i) => (predicted[i] === label[i] ? value : (1 - value) / 2))
  return {
    ...{ kind: 'classes', tested: examples, index: label.map((_, i) => i), lossName: 'cross entropy' },
    classes: Array.from({ length: count }, (_, i) => classes[i] ?? `class ${i}`),
    ...{ label, predicted, probability, truth, loss: truth.map((value) => -Math.log(value)) },
    right: label.map((value, i) => Number(value === predicted[i])),
  }
}

const packed = (outcomes: Outcomes) => packOutcomes({ test: outcomes }) ?? new Uint8Array()
const again = (outcomes: Outcomes) => unpackOutcomes(packed(outcomes), 'run 1').test as Outcomes
const largest = (a: number[] = [], b: number[] = []) =>
  a.reduce((most, x, i) => Math.max(most, Math.abs(x - (b[i] as number))), 0)

describe('outcomes of classes', () => {
  it('come back: classes as they were, probabilities to 0.4%', () => {
    const [before, after] = [made(500), again(made(500))]
    for (const list of ['index', 'label', 'predicted', 'right', 'classes', 'tested'] as const) {
      expect(after[list], list).toEqual(before[list])
    }
    expect(largest(after.probability, before.probability)).toBeLessThan(0.004)
    expect(largest(after.truth, before.truth)).toBeLessThan(0.004)
    expect(largest(after.loss, before.loss)).toBeLessThan(0.02)
  })

  it('are the same when what came back is packed again', () => {
    expect(packed(again(made(500)))).toEqual(packed(made(500)))
  })

  it('keep what is not a number', () => {
    const { truth, probability, loss } = again({ ...made(1), truth: [Number.NaN], probability: [Number.NaN] })
    expect([truth, probability, loss]).toEqual([[Number.NaN], [Number.NaN], [Number.NaN]])
  })
})

describe('outcomes of other kinds', () => {
  it('come back', () => {
    const spans: Outcomes = {
      ...{
        kind: 'spans',
        tested: 9,
        index: [0, 4, 8],
        lossName: 'cross entropy',
        loss: [0, 2.5, Number.POSITIVE_INFINITY],
      },
      ...{
        right: [1, 0, 0],
        f1: [1, 0.5, 0],
        start: [0, -1, 70_000],
        end: [5, -1, 70_009],
        probability: [0.9, 0.1, 0],
      },
    }
    const after = again(spans)
    expect(after).toMatchObject({ index: [0, 4, 8], start: [0, -1, -1], end: [5, -1, -1], right: [1, 0, 0], tested: 9 })
    expect(after.loss[1]).toBeCloseTo(2.5, 1)
    const numbers: Outcomes = {
      ...{ kind: 'numbers', tested: 2, index: [0, 1], lossName: 'squared error', loss: [0.25, 0] },
      ...{ prediction: [-1.5, 3], target: [-1, 3] },
    }
    expect(again(numbers)).toMatchObject({ prediction: [-1.5, 3] })
    expect(largest(again(numbers).target, numbers.target)).toBeLessThan(0.002)
  })
})

describe('the object', () => {
  it('takes under 30 KB for the usual test sets, all examples of them', () => {
    for (const examples of [1000, 10_000]) {
      const bytes = packed(made(examples, 10))
      expect(bytes.length, `${examples}`).toBeLessThan(MAX_BYTES)
      expect(unpackOutcomes(bytes, '').test?.index).toHaveLength(examples)
    }
  })

  it('keeps an even choice of larger ones, the same for all runs', () => {
    const [one, other] = [again(made(20_000, 1000)), again(made(20_000, 10, 1))]
    expect(one.tested).toBe(20_000)
    expect(one.index.length).toBeGreaterThan(4000)
    expect(other.index).toHaveLength(10_000)
    const known = new Set(other.index)
    expect(one.index.every((index) => known.has(index))).toBe(true)
    const late = other.index.filter((index) => index >= 10_000).length
    expect(late / 10_000).toBeCloseTo(0.5, 1)
  })

  it('is none where nothing came of examples', () => {
    expect(packOutcomes({})).toBeNull()
  })

  it.each([
    ['nothing', new Uint8Array()],
    ['other bytes', new Uint8Array([1, 2, 3, 4])],
    ['a part of it', packed(made(9)).slice(0, 60)],
  ])('is refused where it is %s', (_, bytes) => {
    expect(() => unpackOutcomes(bytes, 'run 7')).toThrow('run 7: its outcomes of examples cannot be read')
  })
})
