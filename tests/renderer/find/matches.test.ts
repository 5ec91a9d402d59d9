import { describe, expect, it } from 'vitest'
import { findMatches, positionAt, replaceMatches } from '../../../renderer/find/matches.ts'

const cells = [
  { key: 'a', source: 'const Gate = gate(x)' },
  { key: 'b', source: 'nothing' },
  { key: 'c', source: 'a.b\nagate' },
]

describe('findMatches', () => {
  it('finds in all cells, in order', () => {
    expect(findMatches(cells, 'gate', false)).toEqual([
      { key: 'a', start: 6, end: 10 },
      { key: 'a', start: 13, end: 17 },
      { key: 'c', start: 5, end: 9 },
    ])
    expect(findMatches(cells, 'gate', true)).toHaveLength(2)
  })

  it('takes every sign as itself', () => {
    expect(findMatches(cells, 'a.b', false)).toHaveLength(1)
    expect(findMatches(cells, '(x)', false)).toEqual([{ key: 'a', start: 17, end: 20 }])
    expect(findMatches([{ key: 'a', source: '\\^$*+?()[]{}|' }], '\\^$*+?()[]{}|', true)).toHaveLength(1)
  })

  it('finds nothing for nothing', () => {
    expect(findMatches(cells, '', false)).toEqual([])
    expect(findMatches([], 'x', false)).toEqual([])
  })
})

describe('replaceMatches', () => {
  it('replaces each place and keeps the rest', () => {
    const [cell] = cells
    const matches = findMatches(cells.slice(0, 1), 'gate', false)
    expect(replaceMatches(cell?.source ?? '', matches, '$1')).toBe('const $1 = $1(x)')
    expect(replaceMatches('same', [], 'x')).toBe('same')
  })
})

describe('positionAt', () => {
  it('counts lines and columns from 1', () => {
    expect(positionAt('ab\ncd', 0)).toEqual({ lineNumber: 1, column: 1 })
    expect(positionAt('ab\ncd', 4)).toEqual({ lineNumber: 2, column: 2 })
  })
})
