import { describe, expect, it } from 'vitest'
import { SPECIAL } from '../../../engine/data/tokenizers/types.ts'
import { maskedTokens } from '../../../engine/evaluate/index.ts'
import type { MaskedTokensReport } from '../../../engine/records/report.ts'

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]', 'a', 'b', 'c']
const textOf = (id: number) => words[id] as string

/** The report on batches of texts of 5 tokens with 2 places each. */
function reportOf(...batches: { logits: number[]; input: number[]; positions: number[]; weights: number[] }[]) {
  const collector = maskedTokens(5, textOf)
  for (const { logits, input, positions, weights } of batches) {
    collector.add(Float32Array.from(logits), {
      input: Int32Array.from(input),
      positions: Int32Array.from(positions),
      target: Int32Array.from(positions, () => 5),
      weights: Float32Array.from(weights),
    })
  }
  return (collector.value() as MaskedTokensReport).texts
}

const { first, separator, mask, pad } = SPECIAL
const text = [first, mask, 6, separator, pad]
const row = [0, 0, 0, 0, 0, 2, 3, 2]
const zeros = new Array<number>(8).fill(0)

describe('maskedTokens', () => {
  it('shows the text as read, and of each place what stood there and the likeliest tokens', () => {
    const [shown] = reportOf({ logits: [...row, ...zeros], input: text, positions: [1, 0], weights: [1, 0] })
    expect(shown?.tokens).toEqual(['[CLS]', '[MASK]', 'b', '[SEP]'])
    expect(shown?.masked).toHaveLength(1) // the other place is not used
    const [place] = shown?.masked ?? []
    expect([place?.place, place?.token]).toEqual([1, 'a'])
    expect(place?.likely.map(({ token }) => token)).toEqual(['b', 'a', 'c', '[PAD]', '[UNK]'])
    const total = Math.exp(3) + 2 * Math.exp(2) + 5
    const probabilities = [3, 2, 2, 0, 0].map((logit) => Math.exp(logit) / total)
    for (const [i, { probability }] of (place?.likely ?? []).entries()) {
      expect(probability).toBeCloseTo(probabilities[i] as number, 8)
    }
  })

  it('keeps the places where a token was replaced by [PAD]', () => {
    const input = [first, pad, 6, separator, pad]
    const [shown] = reportOf({ logits: [...row, ...zeros], input, positions: [1, 2], weights: [1, 1] })
    expect(shown?.tokens).toEqual(['[CLS]', '[PAD]', 'b', '[SEP]'])
  })

  it('keeps the first eight texts, over batches', () => {
    const logits = Array.from({ length: 3 * 2 }, () => row).flat()
    const batch = { logits, input: [...text, ...text, ...text], positions: [1, 2, 1, 2, 1, 2], weights: zeros.slice(2) }
    const shown = reportOf(batch, batch, batch)
    expect(shown.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('is JSON, also where the model says nothing', () => {
    const logits = new Array<number>(16).fill(Number.NaN)
    const shown = reportOf({ logits, input: text, positions: [1, 2], weights: [1, 1] })
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown)
    expect(shown[0]?.masked[0]?.likely).toHaveLength(5)
  })
})
