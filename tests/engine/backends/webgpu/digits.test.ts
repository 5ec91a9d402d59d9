import { describe, expect, it } from 'vitest'
import { broadcast, transposed, untransposed } from '../../../../engine/backends/webgpu/lower/views.ts'
import {
  coordinates,
  digit,
  type Index,
  linear,
  number,
  plus,
  strideOf,
  text,
  whole,
} from '../../../../engine/backends/webgpu/wgsl/digits.ts'
import { Draws } from '../simd/stock.ts'

/** What an index is for values of its bases: WGSL divides as integers of any length do. */
function evaluated(index: Index, values: Record<string, number>): number {
  const code = text(index).replace(/(\d+)u/g, '$1n')
  const run = new Function(...Object.keys(values), `return ${code}`)
  return Number(run(...Object.values(values).map(BigInt)))
}

const sizeOf = (shape: number[]) => shape.reduce((size, length) => size * length, 1)

/** Coordinates of the element at `i`, slowly. */
function at(i: number, shape: number[]): number[] {
  return shape.map((length, axis) => Math.floor(i / sizeOf(shape.slice(axis + 1))) % length)
}

const place = (found: number[], shape: number[]) => found.reduce((sum, x, axis) => sum * (shape[axis] ?? 1) + x, 0)

describe('indices as digits', () => {
  it('are right after any reshapes and transpositions', () => {
    const draws = new Draws('digits')
    for (let round = 0; round < 200; round++) {
      let shape = Array.from({ length: 1 + draws.below(4) }, () => 1 + draws.below(5))
      const size = sizeOf(shape)
      let index = whole({ name: 'i', size })
      let values = Array.from({ length: size }, (_, i) => i)
      for (let step = 0; step < 4; step++) {
        if (draws.below(2) === 0) {
          const perm = draws.permutation(shape.length)
          index = transposed(index, perm, shape)
          const before = shape
          const after = perm.map((axis) => shape[axis] as number)
          values = values.map((value) => {
            const found = at(value, before)
            return place(
              perm.map((axis) => found[axis] as number),
              after,
            )
          })
          shape = after
        } else {
          const [first = 1, ...rest] = shape
          shape = rest.length > 0 ? [first * (rest[0] ?? 1), ...rest.slice(1)] : [1, first]
        }
      }
      for (const [i, value] of values.entries()) expect(evaluated(index, { i })).toBe(value)
    }
  })

  it('are undone by the opposite transposition', () => {
    const [shape, perm] = [
      [2, 3, 4, 5],
      [2, 0, 3, 1],
    ]
    const index = whole({ name: 'i', size: 120 })
    const there = transposed(index, perm, shape)
    const after = perm.map((axis) => shape[axis] as number)
    expect(text(untransposed(there, perm, after))).toBe('i')
  })

  it('lose the divisions that are not needed', () => {
    const row = whole({ name: 'row', size: 64 })
    const column = whole({ name: 'column', size: 128 })
    const index = linear([row, column], [64, 128])
    expect(text(index)).toBe('row * 128u + column')
    expect(coordinates(index, [8, 8, 128]).map(text)).toEqual(['(row / 8u)', '(row % 8u)', 'column'])
    expect(text(digit(index, 128, 64))).toBe('row')
    expect(strideOf(index, 'column')).toBe(1)
    expect(strideOf(index, 'row')).toBe(128)
  })

  it.each([1, 2, 3, 5, 7])('carry an offset of %i', (offset) => {
    const index = plus(whole({ name: 'i', size: 10 }), { terms: [], offset })
    for (let i = 0; i < 10; i++) {
      for (const [div, mod] of [
        [4, 3],
        [3, 6],
        [1, 5],
      ] as const) {
        expect(evaluated(digit(index, div, mod), { i })).toBe(Math.floor((i + offset) / div) % mod)
      }
    }
  })

  it('broadcast as tensors do', () => {
    const index = whole({ name: 'i', size: 24 })
    for (const from of [[4], [3, 1], [2, 1, 4], [1, 3, 4], [1], [], [2, 3, 4]]) {
      const padded = [...Array<number>(3 - from.length).fill(1), ...from]
      const own = broadcast(index, [2, 3, 4], from)
      for (let i = 0; i < 24; i++) {
        const wanted = place(
          at(i, [2, 3, 4]).map((x, axis) => (padded[axis] === 1 ? 0 : x)),
          padded,
        )
        expect(evaluated(own, { i }), `${from}`).toBe(wanted)
      }
    }
  })

  it('take any expression as a number', () => {
    const index = number('i * 3u', 30)
    for (let i = 0; i < 10; i++) expect(evaluated(digit(index, 4, 8), { i })).toBe(Math.floor((i * 3) / 4) % 8)
  })
})
