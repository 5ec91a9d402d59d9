import { describe, expect, it } from 'vitest'
import { chosenOf } from '../../../renderer/compare/useMetrics.ts'

const known = ['a', 'b', 'c', 'd']

describe('the metrics that are shown', () => {
  it('are the first few before any choice', () => {
    expect(chosenOf(null, known)).toEqual(['a', 'b', 'c'])
    expect(chosenOf(null, [])).toEqual([])
  })
  it('are those of the last choice that the runs have, in the order in which they are known', () => {
    expect(chosenOf(['d', 'x', 'b'], known)).toEqual(['b', 'd'])
    expect(chosenOf('all', known)).toEqual(known)
    expect(chosenOf([], known)).toEqual([])
  })
  it('are the first few where the choice says nothing of these runs, or is damaged', () => {
    expect(chosenOf(['x'], known)).toEqual(['a', 'b', 'c'])
    expect(chosenOf({ a: 1 }, known)).toEqual(['a', 'b', 'c'])
  })
})
