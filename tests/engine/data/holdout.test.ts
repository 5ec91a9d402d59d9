import { describe, expect, it } from 'vitest'
import { holdOut } from '../../../engine/data/holdout.ts'
import { keyOf } from '../../../engine/random.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('holdOut', () => {
  it('parts the members, in their order', () => {
    const { kept, held } = holdOut(upTo(50), 0.3, keyOf(0, 'a'))
    expect(held).toHaveLength(15)
    expect([...kept, ...held].sort((a, b) => a - b)).toEqual(upTo(50))
    expect(kept).toEqual([...kept].sort((a, b) => a - b))
    expect(held).not.toEqual(upTo(50).slice(35))
  })
  it('depends on the key alone', () => {
    expect(holdOut(upTo(50), 0.3, keyOf(0, 'a'))).toEqual(holdOut(upTo(50), 0.3, keyOf(0, 'a')))
    expect(holdOut(upTo(50), 0.3, keyOf(0, 'a'))).not.toEqual(holdOut(upTo(50), 0.3, keyOf(1, 'a')))
  })
  it.each([
    [0, 0.5, 0],
    [1, 0.9, 0],
    [2, 0.01, 1],
    [2, 0.99, 1],
    [10, 0.99, 9],
  ])('of %i members at %d holds out %i', (members, fraction, count) => {
    const { kept, held } = holdOut(upTo(members), fraction, keyOf(0, 'a'))
    expect([held.length, kept.length]).toEqual([count, members - count])
  })
})
