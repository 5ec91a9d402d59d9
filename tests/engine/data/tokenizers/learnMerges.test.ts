import { expect, it } from 'vitest'
import { type CountedPiece, learnMerges, pairOf } from '../../../../engine/data/tokenizers/learnMerges.ts'
import { integer, keyOf } from '../../../../engine/random.ts'

/** `tokens` with each `left, right` in a row made one token, from the left on. */
function merge(tokens: number[], left: number, right: number, joined: number): number[] {
  const at = tokens.findIndex((token, i) => token === left && tokens[i + 1] === right)
  return at === -1 ? tokens : [...tokens.slice(0, at), joined, ...merge(tokens.slice(at + 2), left, right, joined)]
}

/** The same by counting all pairs anew for each merge. */
function learnSlowly(pieces: CountedPiece[], first: number, most: number): [number, number][] {
  let all = pieces
  const merges: [number, number][] = []
  while (merges.length < most) {
    const counts = new Map<number, number>()
    for (const { tokens, count } of all) {
      for (let i = 1; i < tokens.length; i++) {
        const pair = pairOf(tokens[i - 1] as number, tokens[i] as number)
        counts.set(pair, (counts.get(pair) ?? 0) + count)
      }
    }
    const [best] = [...counts].sort(([a, n], [b, m]) => m - n || a - b)
    if (!best || best[1] < 2) break
    const [left, right] = [Math.floor(best[0] / 65_536), best[0] % 65_536]
    all = all.map(({ tokens, count }) => ({ tokens: merge(tokens, left, right, first + merges.length), count }))
    merges.push([left, right])
  }
  return merges
}

it('learns the merges that counting anew gives', () => {
  for (let trial = 0; trial < 60; trial++) {
    const key = keyOf(trial, 'pieces')
    const symbols = 2 + (trial % 5)
    const pieces = Array.from({ length: 20 }, (_, i) => ({
      tokens: Array.from({ length: 1 + integer(key, 100 * i, 12) }, (_, j) => integer(key, 100 * i + j + 1, symbols)),
      count: 1 + integer(key, 100 * i + 50, 4),
    }))
    expect(learnMerges(structuredClone(pieces), symbols, 40)).toEqual(learnSlowly(pieces, symbols, 40))
  }
})
