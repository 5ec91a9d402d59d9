import { describe, expect, it } from 'vitest'
import { higherIsBetter } from '../../../engine/evaluate/direction.ts'

describe('higherIsBetter', () => {
  it.each([
    ['eval/accuracy', true],
    ['eval/top5', true],
    ['train/loss', false],
    ['perplexity', false],
  ])('of %s is %s', (name, higher) => {
    expect(higherIsBetter(name)).toBe(higher)
  })
})
