import { describe, expect, it } from 'vitest'
import { perplexity } from '../../../engine/evaluate/index.ts'
import { integer, keyOf, normal } from '../../../engine/random.ts'

describe('perplexity', () => {
  it('of a model that knows nothing is the size of the vocabulary', () => {
    const metric = perplexity()
    metric.add(new Float32Array(6 * 1000).fill(3.5), { target: Int32Array.from([0, 1, 2, 500, 998, 999]) })
    expect(metric.value()).toBeCloseTo(1000, 8)
  })

  it('is exp of the mean over all batches, without rows that have no weight', () => {
    const key = keyOf(1, 'logits')
    const vocabulary = 7
    const metric = perplexity()
    const surprises: number[] = []
    for (const [batch, rows] of [5, 3].entries()) {
      const logits = Float32Array.from({ length: rows * vocabulary }, (_, i) => 4 * normal(key, 100 * batch + i))
      const target = Int32Array.from({ length: rows }, (_, i) => integer(key, 1000 + 10 * batch + i, vocabulary))
      const weights = Float32Array.from({ length: rows }, (_, i) => Number(i !== 1))
      metric.add(logits, { target, weights })
      for (let row = 0; row < rows; row++) {
        const own = [...logits].slice(row * vocabulary, (row + 1) * vocabulary).map(Math.exp)
        const share = (own[target[row] as number] as number) / own.reduce((sum, value) => sum + value)
        if (row !== 1) surprises.push(-Math.log(share))
      }
    }
    const mean = surprises.reduce((sum, value) => sum + value) / surprises.length
    expect(surprises).toHaveLength(6)
    expect(metric.value()).toBeCloseTo(Math.exp(mean), 8)
  })

  it('is the same of what was found of the rows', () => {
    const metric = perplexity()
    const rank = new Float32Array(3)
    const surprise = Float32Array.from([Math.log(4), 100, Math.log(16)])
    metric.addJudged?.({ rank, surprise }, { weights: Float32Array.from([1, 0, 1]) })
    expect(metric.value()).toBeCloseTo(8, 5)
  })

  it('stays right for large logits', () => {
    const metric = perplexity()
    metric.add(Float32Array.from([1e4, 1e4, -1e4]), { target: Int32Array.from([1]) })
    expect(metric.value()).toBeCloseTo(2, 8)
  })

  it('of what is not a number is not a number', () => {
    const metric = perplexity()
    metric.add(Float32Array.from([1, Number.NaN]), { target: Int32Array.from([0]) })
    expect(metric.value()).toBeNaN()
  })

  it('is better when it is lower', () => {
    expect(perplexity().meaning).toMatchObject({ better: 'lower', bounds: [1, null] })
  })
})
