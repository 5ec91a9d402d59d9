import { beforeAll, describe, expect, it } from 'vitest'
import { groupSums } from '../../../../../engine/backends/simd/program/groups.ts'
import type { Cut } from '../../../../../engine/backends/simd/program/instruction.ts'
import { asMasks } from '../../../../../engine/backends/simd/program/masks.ts'
import { shareSlopes } from '../../../../../engine/backends/simd/program/slopes.ts'
import { splitSums } from '../../../../../engine/backends/simd/program/sums.ts'
import type { Graph, Operation, Use } from '../../../../../engine/compile/graph.ts'
import { recompute } from '../../../../../engine/compile/recompute.ts'
import { simplify } from '../../../../../engine/compile/simplify.ts'
import { expectWellFormed, randomGraphs } from '../../../compile/graphs.ts'
import { leaveSimd, useThreads } from '../../../compile/setup.ts'

leaveSimd()

let cut: Cut
beforeAll(async () => {
  const { wasm } = await useThreads(1)
  cut = { chunks: 2, batch: 4, wasm }
})

const float = (value: number, shape: number[]): Use => ({ value, shape, dtype: 'float32' })

function graphOf(operations: Operation[], backward: number): Graph {
  const uses = operations.flatMap(({ inputs, outputs }) => [...Object.values(inputs), ...outputs])
  const outputs = { last: operations.at(-1)?.outputs[0] as Use }
  const inputs = { x: float(0, uses[0]?.shape ?? []) }
  return { values: 9, operations, backward, inputs, constants: [], draws: [], outputs }
}

describe('sums over the batch', () => {
  const sum = (axis: number[], shape: number[], out: number[]) =>
    graphOf(
      [
        {
          kernel: 'Sum',
          attributes: { axis, keepDims: false },
          inputs: { x: float(0, shape) },
          outputs: [float(1, out)],
        },
      ],
      1,
    )

  it('and other axes are those of each example, then of the batch', () => {
    const graph = splitSums(sum([0, 2], [4, 3, 5], [3]))
    expect(graph.operations.map(({ attributes, inputs }) => [attributes.axis, inputs.x?.shape])).toEqual([
      [[2], [4, 3, 5]],
      [[0], [4, 3, 1]],
    ])
    expect(graph.operations[1]?.outputs).toEqual([float(1, [3])])
    expect(graph.backward).toBe(2)
    expectWellFormed(graph, 'sum')
  })

  it('of a mean are divided at the end by all that it is of, but not with one example', () => {
    const mean = (examples: number) => {
      const graph = sum([0, 1], [examples, 3, 5], [5])
      return { ...graph, operations: graph.operations.map((operation) => ({ ...operation, kernel: 'Mean' })) }
    }
    expect(splitSums(mean(4)).operations.map(({ kernel, attributes }) => [kernel, attributes.count])).toEqual([
      ['Sum', undefined],
      ['Mean', 12],
    ])
    expect(splitSums(mean(1))).toEqual(mean(1))
  })

  it.each([
    [[0], [4, 3], [3]],
    [[1], [4, 3], [4]],
    [[1, 2], [4, 3, 5], [4]],
  ])('over %j alone stay as they are', (axis, shape, out) => {
    const graph = sum(axis, shape, out)
    expect(splitSums(graph)).toEqual(graph)
  })
})

describe('weight gradients', () => {
  const product = (k: number, m: number, attributes = {}) =>
    graphOf(
      [
        {
          kernel: 'BatchMatMul',
          attributes: { transposeA: true, transposeB: false, ...attributes },
          inputs: { a: float(0, [k, m]), b: float(1, [k, 3]) },
          outputs: [float(2, [m, 3])],
        },
      ],
      0,
    )

  it('are sums of groups of chunks, then of those', () => {
    const graph = groupSums(product(640, 5), { ...cut, chunks: 32 })
    const [sums, total] = graph.operations
    expect([sums?.kernel, total?.kernel]).toEqual(['GroupedProduct', 'Sum'])
    expect(sums?.outputs).toEqual([float(graph.values - 1, [16, 5, 3])])
    expect(total?.inputs.x).toEqual(sums?.outputs[0])
    expect(total?.outputs).toEqual([float(2, [5, 3])])
  })

  it.each([
    ['few terms', 320, 5, 32, {}],
    ['terms that do not divide', 648, 5, 32, {}],
    ['a large result', 640, 70_000, 32, {}],
    ['chunks that do not divide', 640, 5, 20, {}],
    ['the other factor transposed', 640, 5, 32, { transposeA: false }],
    ['few terms before those of zeros were left out', 640, 5, 32, { terms: 320 }],
  ])('stay as they are: %s', (_, k, m, chunks, attributes) => {
    const graph = product(k, m, attributes)
    expect(groupSums(graph, { ...cut, chunks })).toEqual(graph)
  })
})

describe('slopes of GELU', () => {
  const gelu = (shape: number[]) => [
    { kernel: 'Gelu', attributes: {}, inputs: { x: float(0, shape) }, outputs: [float(1, shape)] },
    { kernel: 'Neg', attributes: {}, inputs: { x: float(1, shape) }, outputs: [float(2, shape)] },
    {
      kernel: 'GeluGrad',
      attributes: {},
      inputs: { dy: float(2, shape), x: float(0, shape) },
      outputs: [float(3, shape)],
    },
  ]

  it('are taken together with GELU where the backward pass does both', () => {
    const graph = shareSlopes(graphOf(gelu([4, 3]), 0), cut)
    expect(graph.operations.map(({ kernel }) => kernel)).toEqual(['GeluSlope', 'Neg', 'Multiply'])
    const [both, , product] = graph.operations
    expect(product?.inputs).toEqual({ a: float(2, [4, 3]), b: both?.outputs[1] })
    expectWellFormed(graph, 'slopes')
  })

  it('are not where GELU is of the forward pass, or cannot be done in chunks', () => {
    const [forward, odd] = [graphOf(gelu([4, 3]), 1), graphOf(gelu([3, 3]), 0)]
    expect(shareSlopes(forward, cut)).toEqual(forward)
    expect(shareSlopes(odd, cut)).toEqual(odd)
  })
})

describe('all of them', () => {
  it('keep random code in order', async () => {
    for (const { name, graph } of await randomGraphs(25)) {
      const before = recompute(asMasks(simplify(graph)))
      const after = shareSlopes(groupSums(splitSums(before), cut), cut)
      expectWellFormed(after, name)
      expect(after.outputs, name).toEqual(before.outputs)
    }
  })
})
