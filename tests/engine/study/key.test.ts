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
  it('is the SHA-256 of JSON with sorted keys', () => {
    // printf '{"a":[1,"x",{"b":null,"c":true}],"d":1.5}' | sha256sum
    const expected = '3357e9cf01a45c223ab9d36420c59d1e9028955d8e171b18fb833175af59bece'
    expect(keyOfSpec({ d: 1.5, a: [1, 'x', { c: true, b: null }] })).toBe(expected)
  })
  it('refuses what JSON cannot hold', () => {
    expect(() => keyOfSpec({ model: { init: () => 1 } })).toThrow('spec.model.init: a function; options of a run are')
    expect(() => keyOfSpec({ rate: Number.NaN })).toThrow('spec.rate: a number')
    expect(() => keyOfSpec({ a: [1, [Symbol()]] })).toThrow('spec.a.1.0: a symbol')
    expect(() => keyOfSpec(() => 1)).toThrow(expect.objectContaining({ code: 'option', path: 'spec' }))
  })
})
