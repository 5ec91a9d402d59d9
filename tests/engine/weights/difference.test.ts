import { describe, expect, it } from 'vitest'
import { changesOf, matrixDifferences } from '../../../engine/weights/difference.ts'
import type { NamedTensor } from '../../../engine/weights/safetensors.ts'

const tensor = (name: string, shape: number[], values: number[]): NamedTensor => {
  return { name, shape, values: Float32Array.from(values) }
}
const model = [tensor('a', [2, 1], [3, 4]), tensor('b', [1], [0])]

describe('changesOf', () => {
  it('has norms and the relative change of each parameter', () => {
    expect(changesOf(model, [tensor('b', [1], [2]), tensor('a', [2, 1], [3, 4.5])])).toEqual([
      { name: 'a', shape: [2, 1], norm: 5, difference: 0.5, relative: 0.1 },
      { name: 'b', shape: [1], norm: 0, difference: 2, relative: null },
    ])
    expect(changesOf(model, model).map(({ difference }) => difference)).toEqual([0, 0])
  })
  it.each([
    [[model[0] as NamedTensor], "run 7: has no 'b': another architecture"],
    [[...model, tensor('c', [1], [1])], "run 7: also has 'c': another architecture"],
    [
      [tensor('a', [1, 2], [3, 4]), tensor('b', [1], [0])],
      "run 7: has 'a' as [1, 2], not [2, 1]: another architecture",
    ],
  ])('takes no model of another architecture, %#', (other, message) => {
    expect(() => changesOf(model, other, 'run 7')).toThrow(message)
  })
  it('says so where values are not finite', () => {
    const [change] = changesOf(model, [tensor('a', [2, 1], [Number.NaN, 4]), tensor('b', [1], [0])])
    expect(change?.relative).toBeNaN()
  })
})

it('takes the first matrices from the second, by name', () => {
  const of = (name: string, values: number[]) => ({ name, rows: 1, columns: 2, values: Float32Array.from(values) })
  const found = matrixDifferences([of('x', [1, 2]), of('y', [0, 0])], [of('z', [9, 9]), of('x', [2, 0])])
  expect(found).toEqual([of('x', [1, -2])])
})
