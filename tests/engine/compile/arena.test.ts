import { describe, expect, it } from 'vitest'
import { createArena } from '../../../engine/compile/arena.ts'
import { Draws } from '../backends/simd/stock.ts'

describe('an arena', () => {
  it('gives blocks that never overlap while they are in use, in whole cache lines behind what is reserved', () => {
    for (let trial = 0; trial < 50; trial++) {
      const draws = new Draws(`arena/${trial}`)
      const reserved = draws.below(300)
      const arena = createArena(reserved)
      const live = new Map<number, number>()
      let most = 0
      for (let i = 0; i < 200; i++) {
        const [first] = [...live.keys()].slice(draws.below(live.size + 1))
        if (first !== undefined && draws.below(5) < 2) {
          arena.give(first)
          live.delete(first)
          continue
        }
        const bytes = draws.below(4) === 0 ? 0 : 1 + draws.below(2000)
        const offset = arena.take(bytes)
        expect(offset % 64).toBe(0)
        expect(offset).toBeGreaterThanOrEqual(reserved)
        for (const [other, size] of live) {
          const apart = offset + Math.max(bytes, 1) <= other || other + Math.max(size, 1) <= offset
          expect(apart, `${offset} and ${other}`).toBe(true)
        }
        live.set(offset, bytes)
        most = Math.max(most, offset + bytes)
        expect(arena.size()).toBeGreaterThanOrEqual(most)
      }
    }
  })

  it('takes the first gap that is large enough, and grows only when there is none', () => {
    const arena = createArena(10)
    const blocks = [64, 128, 64, 256].map((bytes) => arena.take(bytes))
    expect(blocks).toEqual([64, 128, 256, 320])
    expect(arena.size()).toBe(576)
    arena.give(128)
    arena.give(320)
    expect(arena.take(200)).toBe(320)
    expect(arena.take(100)).toBe(128)
    expect(arena.size()).toBe(576)
  })
})
