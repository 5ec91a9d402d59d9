import { describe, expect, it } from 'vitest'
import { isNumeric, spacingOf } from '../../../../engine/study/design/spacing.ts'

describe('spacingOf', () => {
  it.each([
    [[1e-3, 3e-3, 1e-2], 'log10'],
    [[1e-2, 1e-4, 1e-3], 'log10'],
    [[1e-4, 1e-2], 'log10'],
    [[1e-3, 3e-3], 'linear'],
    [[16, 32, 64], 'log2'],
    [[64, 16], 'log2'],
    [[2, 4, 8, 16], 'log2'],
    [[1, 2], 'linear'],
    [[1, 2, 3, 4], 'linear'],
    [[2, 4, 6], 'linear'],
    [[0, 0.1, 0.2], 'linear'],
    [[0, 1e-3, 1e-2], 'linear'],
    [[-1, 1, 100], 'linear'],
    [[5], 'linear'],
  ])('of %j is %s', (levels, spacing) => {
    expect(spacingOf(levels)).toBe(spacing)
  })
})

describe('isNumeric', () => {
  it('is so where all levels are finite numbers', () => {
    expect(isNumeric({ name: 'a', levels: [1, 2.5] })).toBe(true)
    expect(isNumeric({ name: 'a', levels: [1, '2'] })).toBe(false)
    expect(isNumeric({ name: 'a', levels: [true, false] })).toBe(false)
    expect(isNumeric({ name: 'a', levels: [1, Number.NaN] })).toBe(false)
  })
})
