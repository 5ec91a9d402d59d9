import { describe, expect, it } from 'vitest'
import { withNewest } from '../../../renderer/session/live.ts'

const liveAfter = (keys: string[], key: string, needed: string[], most: number) => [
  ...withNewest(new Set(keys), key, needed, most),
]

describe('the cells with an editor', () => {
  it('are those that came last', () => {
    expect(liveAfter(['a', 'b'], 'c', [], 3)).toEqual(['a', 'b', 'c'])
    expect(liveAfter(['a', 'b', 'c'], 'd', [], 3)).toEqual(['b', 'c', 'd'])
    expect(liveAfter(['a', 'b', 'c'], 'a', [], 3)).toEqual(['b', 'c', 'a'])
  })

  it('are never taken from where they are seen', () => {
    expect(liveAfter(['a', 'b', 'c'], 'd', ['a'], 3)).toEqual(['a', 'c', 'd'])
    expect(liveAfter(['a', 'b'], 'c', ['a', 'b'], 2)).toEqual(['a', 'b', 'c'])
  })
})
