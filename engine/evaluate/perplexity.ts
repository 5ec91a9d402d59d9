import type { Evaluator } from './types.ts'

const NONE = new Int32Array()

/**
 * exp of the mean of -log softmax(logits)[target] over all rows of an evaluation, `[..., vocabulary]`; those without
 * weight, where the batch has `weights`, do not count.
 */
export function perplexity(): Evaluator {
  let sum = 0
  let count = 0
  return {
    name: 'perplexity',
    meaning: { better: 'lower', bounds: [1, null], words: 'perplexity' },
    add: (logits, { target = NONE, weights }) => {
      const vocabulary = logits.length / target.length
      for (let i = 0; i < target.length; i++) {
        if (weights?.[i] === 0) continue
        sum += negativeLogLikelihood(logits.subarray(i * vocabulary, (i + 1) * vocabulary), target[i] as number)
        count += 1
      }
    },
    addJudged: ({ surprise }, { weights }) => {
      for (let i = 0; i < surprise.length; i++) {
        if (weights?.[i] === 0) continue
        sum += surprise[i] as number
        count += 1
      }
    },
    value: () => Math.exp(sum / count),
  }
}

/** -log softmax(row)[own]. */
export function negativeLogLikelihood(row: Float32Array, own: number): number {
  let largest = Number.NEGATIVE_INFINITY
  for (const value of row) if (!(value <= largest)) largest = value
  let sum = 0
  for (const value of row) sum += Math.exp(value - largest)
  return Math.log(sum) + largest - (row[own] as number)
}
