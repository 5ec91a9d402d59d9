import { describe, expect, it } from 'vitest'
import { causes } from '../../../engine/examples/causes.ts'
import type { Factor } from '../../../engine/examples/factors.ts'
import { keyOf, uniform } from '../../../engine/random.ts'
import { LONG } from '../../long.ts'

const EXAMPLES = 600

/** Factors of several sorts that have nothing to do with each other, of test `seed`. */
function factors(seed: number): Factor[] {
  const drawn = <Value>(name: string, of: (share: number) => Value) =>
    Array.from({ length: EXAMPLES }, (_, i) => of(uniform(keyOf(seed, name), i)))
  return [
    { name: 'distance', values: drawn('distance', (share) => 6 + 14 * share) },
    { name: 'clutter', values: drawn('clutter', (share) => Math.floor(6 * share)) },
    { name: 'length', values: drawn('length', (share) => Math.round(5 + 40 * share ** 3)) },
    { name: 'negation', values: drawn('negation', (share) => Number(share < 0.2)) },
    { name: 'asked', values: drawn('asked', (share) => ['who', 'what', 'where', 'when'][Math.floor(4 * share)] ?? '') },
    { name: 'class', values: drawn('class', (share) => `class ${Math.floor(10 * share)}`) },
  ]
}

/** Who is right on each example: the first and the second with these probabilities. */
function leads(seed: number, right: (i: number) => [first: number, second: number]): number[] {
  const key = keyOf(seed, 'right')
  return Array.from({ length: EXAMPLES }, (_, i) => {
    const [first, second] = right(i)
    return Number(uniform(key, 2 * i) < first) - Number(uniform(key, 2 * i + 1) < second)
  })
}

const factorAt = (all: Factor[], name: string, i: number) => all.find((each) => each.name === name)?.values[i] ?? 0

describe('causes', () => {
  // half of them are alike, a quarter differs in all examples alike, a quarter is worse on hard examples, both of them
  const pairs = LONG ? 500 : 20
  it(`names a factor for at most 5% of ${pairs} pairs that none tells apart`, () => {
    let named = 0
    for (let pair = 0; pair < pairs; pair++) {
      const all = factors(pair)
      const right = (i: number): [number, number] => {
        if (pair % 4 < 2) return [0.85, 0.85]
        if (pair % 4 === 2) return [0.9, 0.8]
        const hard = Number(factorAt(all, 'distance', i)) > 16 || factorAt(all, 'negation', i) === 1
        return hard ? [0.6, 0.6] : [0.98, 0.98]
      }
      const [first] = causes(leads(pair, right), all)
      if (first && first.adjusted <= 0.05) named += 1
    }
    // of 20 pairs more than 4 have a chance below 1 in 300 at 5%
    expect(named).toBeLessThanOrEqual(LONG ? 25 : 4)
  })

  const causal = LONG ? 20 : 5
  it(`names the planted one first in 9 of 10 of ${causal}`, () => {
    const planted: [name: string, hard: (value: number | string) => boolean][] = [
      ['distance', (value) => Number(value) > 15],
      ['clutter', (value) => Number(value) >= 4],
      ['length', (value) => Number(value) > 20],
      ['negation', (value) => value === 1],
      ['asked', (value) => value === 'when'],
    ]
    let first = 0
    for (let pair = 0; pair < causal; pair++) {
      const all = factors(1000 + pair)
      const [name, hard] = planted[pair % planted.length] as (typeof planted)[number]
      const found = causes(
        leads(1000 + pair, (i) => [0.9, hard(factorAt(all, name, i)) ? 0.65 : 0.9]),
        all,
      )
      const [best] = found
      if (best?.factor !== name || best.adjusted > 0.05) continue
      first += 1
      expect(best.interval[0]).toBeGreaterThan(0)
      expect(best.change).toBeGreaterThan(0)
      if (name === 'asked') expect(best.level).toBe('when')
    }
    expect(first).toBeGreaterThanOrEqual(0.9 * causal)
  })

  it('says what 6 examples show and no fewer, and nothing of factors with one value', () => {
    const values = Array.from({ length: 100 }, (_, i) => i)
    const of = (differing: number) => values.map((i) => Number(i >= 100 - differing))
    const factors = [
      { name: 'i', values },
      { name: 'one', values: values.map(() => 3) },
      { name: 'rare', values: values.map((i) => (i < 4 ? 'a' : 'b')) },
    ]
    expect(causes(of(5), factors)).toEqual([])
    const [found, ...more] = causes(of(6), factors)
    expect(more).toEqual([])
    expect(found).toMatchObject({ factor: 'i', level: null, range: [10, 90] })
    expect(found?.p).toBeLessThan(0.01)
    expect(causes(of(6), factors)).toEqual(causes(of(6), factors))
  })

  it('has an interval that holds the truth for all factors together', () => {
    let held = 0
    const tries = LONG ? 200 : 5
    for (let trial = 0; trial < tries; trial++) {
      const all = factors(5000 + trial)
      // the lead rises by 5 points with each of 0 to 5, its 10th and 90th percentile
      const rise = (i: number) => 0.05 * Number(factorAt(all, 'clutter', i))
      const found = causes(
        leads(5000 + trial, (i) => [0.9, 0.9 - rise(i)]),
        all,
      )
      const isRight = found.every(({ factor, interval: [low, high] }) => {
        const truth = factor === 'clutter' ? 0.25 : 0
        return low <= truth && truth <= high
      })
      if (isRight) held += 1
    }
    expect(held / tries).toBeGreaterThanOrEqual(LONG ? 0.93 : 0.8)
  })
})
