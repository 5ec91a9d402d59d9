/** softmax(logits)[i] of one row, as a function of i. 0 where the logits are not finite, for JSON has no NaN. */
export function softmax(logits: Float32Array): (i: number) => number {
  const largest = logits.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const total = logits.reduce((sum, value) => sum + Math.exp(value - largest), 0)
  return (i) => Math.exp((logits[i] as number) - largest) / total || 0
}
