import { describe, expect, it } from 'vitest'
import { classOutcomes } from '../../../../engine/evaluate/outcomes/classOutcomes.ts'
import { maskedOutcomes } from '../../../../engine/evaluate/outcomes/maskedOutcomes.ts'
import { numberOutcomes } from '../../../../engine/evaluate/outcomes/numberOutcomes.ts'
import { placeOutcomes } from '../../../../engine/evaluate/outcomes/placeOutcomes.ts'

const rounded = (values: number[] = []) => values.map((value) => Number(value.toFixed(3)))

describe('classOutcomes', () => {
  it('says class, probabilities and loss; equals are wrong, as in the accuracy', () => {
    const collector = classOutcomes(['a', 'b'])
    collector.add(Float32Array.of(0, Math.log(3), 2, 2), { target: Int32Array.of(0, 1) })
    collector.add(Float32Array.of(Math.log(9), 0, Number.NaN, 0), { target: Int32Array.of(0, 0) })
    const { predicted, probability, truth, loss, right, index, tested } = collector.value()
    expect([predicted, right, index, tested]).toEqual([[1, 0, 0, 1], [0, 0, 1, 0], [0, 1, 2, 3], 4])
    expect(rounded(probability)).toEqual([0.75, 0.5, 0.9, Number.NaN])
    expect(rounded(truth)).toEqual([0.25, 0.5, 0.9, Number.NaN])
    expect(rounded(loss)).toEqual([...rounded([Math.log(4), Math.LN2]), 0.105, Number.NaN])
  })
})

describe('placeOutcomes', () => {
  it('says the share of places that is right and the mean loss, without those of no weight', () => {
    const collector = placeOutcomes({ places: 2, unit: 'tokens' })
    const far = 9
    collector.add(Float32Array.of(far, 0, 0, far, 0, far, 5, 5), {
      ...{ target: Int32Array.of(0, 0, 1, 0), weights: Float32Array.of(1, 1, 1, 0) },
    })
    const { right, loss } = collector.value()
    expect(right).toEqual([0.5, 1])
    expect(rounded(loss)).toEqual([4.5, 0])
  })
})

describe('numberOutcomes', () => {
  it('keeps single numbers, and of several the mean squared error alone', () => {
    const [one, two] = [numberOutcomes(1), numberOutcomes(2)]
    for (const each of [one, two]) each.add(Float32Array.of(1, 2), { target: Float32Array.of(1, 0) })
    expect(one.value()).toMatchObject({ loss: [0, 4], prediction: [1, 2], target: [1, 0] })
    expect(two.value()).toMatchObject({ loss: [2], index: [0] })
    expect(two.value().prediction).toBeUndefined()
  })
})

describe('maskedOutcomes', () => {
  it('keeps guesses of a bounded number of texts', () => {
    const collector = maskedOutcomes({ tokens: 4, places: 1, textOf: String })
    const texts = 40
    collector.add(new Float32Array(texts * 5).fill(1), {
      input: new Int32Array(texts * 4).fill(7),
      positions: new Int32Array(texts).fill(2),
      target: new Int32Array(texts).fill(3),
      weights: new Float32Array(texts).fill(1),
    })
    const { guesses = [], loss, unit } = collector.value()
    expect([guesses.length, loss.length, unit]).toEqual([24, 40, 'masked tokens'])
    expect(guesses[0]?.masked).toEqual([
      { place: 2, token: '3', likely: [0, 1, 2].map((token) => ({ token: `${token}`, probability: 0.2 })) },
    ])
  })
})
