import { describe, expect, it } from 'vitest'
import { integer, keyOf, normal, permutation, uniform } from '../../engine/random.ts'

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
