import { describe, expect, it } from 'vitest'
import { fitting } from '../../../../engine/weights/files/fitting.ts'
import type { Wanted } from '../../../../engine/weights/files/resize.ts'
import type { NamedTensor } from '../../../../engine/weights/safetensors.ts'

const tensor = (name: string, shape: number[], value: (i: number) => number = (i) => i): NamedTensor => {
  const count = shape.reduce((product, length) => product * length, 1)
  return { name, shape, values: Float32Array.from({ length: count }, (_, i) => value(i)) }
}
const wanted = (name: string, shape: number[], more: Partial<Wanted> = {}): Wanted => {
  return { name, shape, inHead: name.startsWith('head.'), ...more }
}
const as = (resize: boolean) => ({ tokens: resize ? ('resized' as const) : undefined, source: 'f' })

describe('a file for a model', () => {
  const model = [wanted('stem.weight', [4, 3]), wanted('blocks.0.ls1', [4]), wanted('head.weight', [2, 4])]
  const file = [tensor('stem.weight', [4, 3]), tensor('blocks.0.ls1', [1, 1, 4]), tensor('head.weight', [2, 4])]

  it('gives all that fits, axes of length 1 or not', () => {
    const tensors = fitting(file, model, as(false))
    expect(tensors.map(({ name, shape }) => `${name} ${shape}`)).toEqual([
      'stem.weight 4,3',
      'blocks.0.ls1 4',
      'head.weight 2,4',
    ])
  })
  it('may have another head, or none, and what only pre-training used', () => {
    const other = [...file.slice(0, 2), tensor('head.weight', [9, 4]), tensor('fc.bias', [9])]
    const found = fitting(other, model, as(false))
    expect(found.map(({ name }) => name)).toEqual(['stem.weight', 'blocks.0.ls1'])
  })
  it('says at once what is missing, shaped otherwise, and too much', () => {
    const other = [
      tensor('stem.weight', [4, 5]),
      tensor('head.weight', [2, 4]),
      ...[1, 2, 3, 4].map((i) => tensor(`blocks.${i}.ls1`, [4])),
    ]
    expect(() => fitting(other, model, as(false))).toThrow(
      "f: missing: 'blocks.0.ls1'; 'stem.weight' is [4,5], in the model [4,3]; " +
        "not in the model: 'blocks.1.ls1', 'blocks.2.ls1', 'blocks.3.ls1' and 1 more",
    )
  })
})

describe('a file of another grid of patches', () => {
  const over = { tokenGrid: [3, 3] as [number, number] }
  const model = [
    wanted('blocks.0.proj.weight', [9, 9], over),
    wanted('blocks.0.proj.bias', [9]),
    wanted('blocks.0.fc1.weight', [5, 9], over),
    wanted('blocks.0.fc2.weight', [9, 5], { tokenGrid: null }),
    wanted('pos_embed', [1, 10, 2]),
    wanted('blocks.0.norm.weight', [9]),
  ]
  const file = [
    tensor('blocks.0.proj.weight', [4, 4], (i) => (i % 5 === 0 ? 1 : 0)), // what goes in comes out
    tensor('blocks.0.proj.bias', [4], () => 2),
    tensor('blocks.0.fc1.weight', [5, 4], () => 0.25), // the mean
    tensor('blocks.0.fc2.weight', [4, 5], () => 1),
    tensor('pos_embed', [1, 5, 2], (i) => (i < 2 ? 7 : Math.floor(i / 2))),
    tensor('blocks.0.norm.weight', [9]),
  ]
  const rowsOf = (values: ArrayLike<number>, length: number) =>
    Array.from({ length: values.length / length }, (_, i) => Array.from(values).slice(i * length, (i + 1) * length))

  it('is resized where that is asked for', () => {
    const tensors = fitting(file, model, as(true))
    const of = (name: string) => tensors.find((each) => each.name === name) as NamedTensor
    for (const { name, shape } of model) expect(of(name).shape, name).toEqual(shape)
    // an even picture stays even, and the mean a mean
    for (const row of rowsOf(of('blocks.0.proj.weight').values, 9)) expect(sum(row)).toBeCloseTo(1, 6)
    for (const row of rowsOf(of('blocks.0.fc1.weight').values, 9)) expect(sum(row)).toBeCloseTo(1, 6)
    expect([...of('blocks.0.proj.bias').values]).toEqual(new Array(9).fill(2))
    expect([...of('blocks.0.fc2.weight').values].every((value) => Math.abs(value - 1) < 1e-6)).toBe(true)
    // the class token keeps its place, the corners theirs
    const [front, ...places] = rowsOf(of('pos_embed').values, 2).map(([first]) => first as number)
    expect(front).toBe(7)
    expect([places[0], places[2], places[4], places[6], places[8]]).toEqual([1, 2, 2.5, 3, 4])
  })
  it('is refused where it is not, with a hint', () => {
    expect(() => fitting(file, model, as(false))).toThrow(
      'the file is of 2 x 2 patches, the model has 3 x 3; resize: true resizes what depends on them',
    )
  })
  it('is not resized along axes that are no tokens', () => {
    const other = file.map((each) => (each.name === 'blocks.0.norm.weight' ? tensor(each.name, [4]) : each))
    expect(() => fitting(other, model, as(true))).toThrow("f: 'blocks.0.norm.weight' is [4], in the model [9]")
  })
})

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
