import { describe, expect, it } from 'vitest'
import { SPECIAL } from '../../../../engine/data/tokenizers/types.ts'
import { keyOf } from '../../../../engine/random.ts'
import { maskedCount, maskTokens } from '../../../../engine/tasks/text/masking.ts'

const options = { share: 0.15, vocabulary: 1000 }

/** A text of which each token tells its place. */
const textOf = (length: number) =>
  Int32Array.from({ length }, (_, i) => (i === 0 ? SPECIAL.first : i === length - 1 ? SPECIAL.separator : 100 + i))

describe('maskedCount', () => {
  it.each([
    [3, 1],
    [64, 10],
    [128, 19],
    [512, 77],
  ])('of %i tokens is %i, as in BERT', (tokens, count) => {
    expect(maskedCount(tokens, 0.15)).toBe(count)
  })
})

describe('maskTokens', () => {
  const draws = Array.from({ length: 2000 }, (_, i) => maskTokens(textOf(128), options, keyOf(1, `mask/${i}`)))

  it('hides 80%, replaces 10% and leaves 10%', () => {
    const seen = draws.flatMap(({ ids, positions, targets }) =>
      Array.from(positions, (at, i) => ({ id: ids[at] as number, target: targets[i] })),
    )
    const share = (of: (token: (typeof seen)[number]) => boolean) => seen.filter(of).length / seen.length
    expect(seen).toHaveLength(2000 * 19)
    const bound = (p: number) => 5 * Math.sqrt((p * (1 - p)) / seen.length) // five standard deviations
    expect(Math.abs(share(({ id }) => id === SPECIAL.mask) - 0.8001)).toBeLessThan(bound(0.8))
    expect(Math.abs(share(({ id, target }) => id === target) - 0.1001)).toBeLessThan(bound(0.1))
    const random = seen.filter(({ id, target }) => id !== SPECIAL.mask && id !== target)
    const mean = random.reduce((sum, { id }) => sum + id, 0) / random.length
    expect(Math.abs(mean - 499.5)).toBeLessThan((5 * 1000) / Math.sqrt(12 * random.length))
    expect(Math.max(...random.map(({ id }) => id))).toBeLessThan(1000)
  })

  it('chooses every token as often, and never the special ones at the ends', () => {
    const counts = new Array<number>(128).fill(0)
    for (const { positions } of draws) for (const at of positions) counts[at] = (counts[at] ?? 0) + 1
    expect([counts[0], counts[127]]).toEqual([0, 0])
    const expected = (2000 * 19) / 126
    for (const count of counts.slice(1, 127)) expect(Math.abs(count - expected)).toBeLessThan(5 * Math.sqrt(expected))
  })

  it('says in order what stood where, and changes nothing else', () => {
    const text = textOf(128)
    for (const { ids, positions, targets } of draws.slice(0, 100)) {
      expect([...positions]).toEqual([...new Set(positions)].sort((a, b) => a - b))
      const restored = ids.slice()
      for (const [i, at] of positions.entries()) restored[at] = targets[i] as number
      expect(restored).toEqual(text)
    }
    expect(text).toEqual(textOf(128))
  })

  it('depends on the key alone', () => {
    const again = maskTokens(textOf(128), options, keyOf(1, 'mask/7'))
    expect(again).toEqual(draws[7])
    expect(again).not.toEqual(maskTokens(textOf(128), options, keyOf(2, 'mask/7')))
  })

  it.each([
    [2, 0],
    [3, 1],
    [4, 1],
  ])('asks of %i tokens for %i', (length, count) => {
    expect(maskTokens(textOf(length), options, keyOf(1, 'short')).positions).toHaveLength(count)
  })

  it('asks for no more than there is', () => {
    const { positions } = maskTokens(textOf(10), { ...options, share: 0.99 }, keyOf(1, 'most'))
    expect([...positions]).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
