import { describe, expect, it } from 'vitest'
import { convLayout, fileShape, fromFile, LINEAR, PLAIN, toFile } from '../../../engine/nn/layout.ts'

const patch = convLayout(2, 3, 4, 5)
const count = (length: number) => Float32Array.from({ length }, (_, i) => i)

describe('layouts', () => {
  it('transpose a linear weight', () => {
    expect(fileShape([2, 3], LINEAR)).toEqual([3, 2])
    expect([...toFile(count(6), [2, 3], LINEAR)]).toEqual([0, 3, 1, 4, 2, 5])
  })
  it('turn a patch weight into a convolution weight', () => {
    expect(fileShape([24, 5], patch)).toEqual([5, 4, 2, 3])
    const file = toFile(count(120), [24, 5], patch)
    const [o, c, y, x] = [3, 2, 1, 2]
    expect(file[((o * 4 + c) * 2 + y) * 3 + x]).toBe(((y * 3 + x) * 4 + c) * 5 + o)
  })
  it.each([
    ['plain', PLAIN, [2, 3, 4]],
    ['linear', LINEAR, [5, 7]],
    ['patch', patch, [24, 5]],
    ['conv', patch, [2, 3, 4, 5]],
    ['a position grid', { order: [2, 0, 1], shape: [1, 4, 2, 3] }, [2, 3, 4]],
  ] as const)('read back what they wrote: %s', (_, layout, shape) => {
    const size = shape.reduce((product, length) => product * length, 1)
    const values = count(size)
    expect(fromFile(toFile(values, [...shape], layout), [...shape], layout)).toEqual(values)
  })
})
