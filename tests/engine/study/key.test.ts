import { describe, expect, it } from 'vitest'
import { keyOfSpec } from '../../../engine/study/key.ts'

describe('keyOfSpec', () => {
  it('does not depend on the order of fields, nor on fields that are undefined', () => {
    expect(keyOfSpec({ a: 1, b: [{ c: 2, d: 'x' }] })).toBe(keyOfSpec({ b: [{ d: 'x', c: 2 }], e: undefined, a: 1 }))
    expect(keyOfSpec({ a: 1 })).toMatch(/^[0-9a-f]{64}$/)
  })
  it('depends on every value, its type and its place', () => {
    const specs = [
      { a: 1 },
      { a: '1' },
      { a: 1.5 },
      { b: 1 },
      { a: [1] },
      { a: { 0: 1 } },
      { a: null },
      { a: true },
      [1],
    ]
    expect(new Set(specs.map(keyOfSpec)).size).toBe(specs.length)
  })
  it('refuses what JSON cannot hold', () => {
    expect(() => keyOfSpec({ model: { init: () => 1 } })).toThrow('spec.model.init: a function; options of a run are')
    expect(() => keyOfSpec({ rate: Number.NaN })).toThrow('spec.rate: a number')
  })
})
