import { describe, expect, it } from 'vitest'
import { bernoulli, integer, keyOf, normal, permutation, uniform } from '../../engine/random.ts'

const draws = (count: number, draw: (i: number) => number) => Array.from({ length: count }, (_, i) => draw(i))

describe('random draws', () => {
  it('depend on seed, path and counter alone', () => {
    const first = draws(5, (i) => uniform(keyOf(7, 'a'), i))
    expect(draws(5, (i) => uniform(keyOf(7, 'a'), i))).toEqual(first)
    expect(draws(5, (i) => uniform(keyOf(8, 'a'), i))).not.toEqual(first)
    expect(draws(5, (i) => uniform(keyOf(7, 'b'), i))).not.toEqual(first)
    expect(new Set(first).size).toBe(5)
  })
  it('never change from one version to the next', () => {
    expect(keyOf(1, 'init/head.weight')).toMatchInlineSnapshot(`
      [
        2817121216,
        2130589628,
      ]
    `)
    expect(uniform(keyOf(0, ''), 0)).toMatchInlineSnapshot(`0.9699479979462922`)
  })
  it('differ for counters beyond 32 bits', () => {
    expect(uniform(keyOf(1, 'a'), 2 ** 40)).not.toBe(uniform(keyOf(1, 'a'), 0))
  })
  it('have the moments of their distributions', () => {
    const key = keyOf(3, 'moments')
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const flat = draws(20_000, (i) => uniform(key, i))
    const bell = draws(20_000, (i) => normal(key, i))
    expect(mean(flat)).toBeCloseTo(0.5, 1)
    expect(mean(flat.map((x) => (x - 0.5) ** 2))).toBeCloseTo(1 / 12, 2)
    expect(mean(bell)).toBeCloseTo(0, 1)
    expect(mean(bell.map((x) => x * x))).toBeCloseTo(1, 1)
    expect(mean(bell.map((x) => x ** 4))).toBeGreaterThan(2.8)
  })
  it('reach every integer below the bound, and no other', () => {
    const seen = new Set(draws(2000, (i) => integer(keyOf(1, 'die'), i, 6)))
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5])
  })
})

describe('permutation', () => {
  it('holds every index once, in another order', () => {
    const order = permutation(keyOf(1, 'order'), 100)
    expect([...order].sort((a, b) => a - b)).toEqual(draws(100, (i) => i))
    expect([...order]).not.toEqual(draws(100, (i) => i))
  })
  it('of nothing is empty', () => {
    expect(permutation(keyOf(1, 'order'), 0)).toHaveLength(0)
  })
})

describe('the generator', () => {
  const key = keyOf(3, 'golden')
  it('is Threefry-2x32 with 20 rounds', () => {
    // the first known answer of Random123
    expect(keyOf(0, '')).toEqual([0x6b200159, 0x99ba4efe])
  })
  // numbers of a second implementation, in Python
  it.each([
    [-1, 'a', [3521701259, 4060990604]],
    [1, 'a', [576146767, 1542298334]],
    [2 ** 32 + 1, 'a', [3955928019, 1209758027]],
    [2 ** 40 + 7, 'ä/β', [2995343728, 922003422]],
  ])('names streams: seed %i, %s', (seed, path, expected) => {
    expect(keyOf(seed, path)).toEqual(expected)
  })
  it('gives uniform draws, also for counters of more than 32 bits', () => {
    const counters = [0, 1, 2 ** 32, 2 ** 40 + 3]
    const expected = [0.08284589159302413, 0.23378603206947446, 0.48603749950416386, 0.4598960636649281]
    expect(counters.map((counter) => uniform(key, counter))).toEqual(expected)
  })
  it('gives integers of 53 bits', () => {
    const expected = [1, 233, 1004103362, 2105757375648559]
    expect([6, 1000, 2 ** 32, 2 ** 53].map((below) => integer(key, 1, below))).toEqual(expected)
  })
  it('gives normal draws', () => {
    const expected = [-1.5982545462333502, 1.1634066558147915, -0.8942006858048915, -1.1735417462264928]
    for (const [i, value] of expected.entries()) expect(normal(key, i)).toBeCloseTo(value, 14)
  })
  it('gives masks, four draws to a counter', () => {
    expect([...bernoulli(key, 24, 0.5)].join('')).toBe('111111101000110010000011')
    expect([...bernoulli(key, 24, 0.25)].join('')).toBe('010001000000100000000001')
    expect([0, 1].map((probability) => [...bernoulli(key, 3, probability)])).toEqual([
      [0, 0, 0],
      [1, 1, 1],
    ])
  })
  it('gives nothing of probability 0, and all of probability 1', () => {
    expect(bernoulli(key, 300_000, 0).indexOf(1)).toBe(-1)
    expect(bernoulli(key, 300_000, 1).indexOf(0)).toBe(-1)
  })
  it('gives permutations', () => {
    expect([...permutation(key, 10)]).toEqual([2, 0, 4, 1, 7, 8, 6, 5, 3, 9])
  })
})
