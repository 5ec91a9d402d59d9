import { expect, it } from 'vitest'
import { attach } from '../../../../../engine/backends/webgpu/lower/attach.ts'
import { made } from '../../../../../engine/backends/webgpu/lower/operations.ts'
import type { Graph, Operation, Use } from '../../../../../engine/compile/graph.ts'

const use = (value: number, shape = [4, 4]): Use => ({ value, shape, dtype: 'float32' })
const graph = (operations: Operation[]): Graph => ({
  ...{ values: 9, backward: 0, inputs: { x: use(0) }, constants: [], draws: [] },
  operations,
  outputs: {},
})
/** The kernels that are done in those of the anchors, by the place of these. */
const attached = (operations: Operation[]) =>
  [...attach(graph(operations)).groups].map(([at, group]) => [at, group.attached.map(({ kernel }) => kernel)])

const soft = (x: Use, y: Use) => made('Softmax', { logits: x }, y, { dim: 1 })
const add = (a: Use, b: Use, y: Use) => made('Add', { a, b }, y)
const first = soft(use(0), use(1))

it('attaches what an element of an anchor alone decides, and what is there before it', () => {
  expect(attached([first, made('Neg', { x: use(1) }, use(2)), add(use(2), use(0), use(3))])).toEqual([
    [0, ['Neg', 'Add']],
  ])
  expect(attached([first, soft(use(0), use(2)), add(use(2), use(1), use(3))])).toEqual([
    [0, []],
    [1, ['Add']],
  ])
})

it('attaches nothing that reads other elements of the same anchor', () => {
  const reversed = made('Reverse', { x: use(1) }, use(2), { dims: [1] })
  expect(attached([first, reversed, add(use(1), use(2), use(3))])).toEqual([[0, []]])
  expect(attached([first, reversed, add(use(2), use(1), use(3))])).toEqual([[0, []]])
  const turned = made('Transpose', { x: use(1) }, use(2), { perm: [1, 0] })
  expect(attached([first, turned, add(use(1), use(2), use(3))])).toEqual([[0, ['Transpose']]])
  expect(attached([first, turned, add(use(2), use(2), use(3))])).toEqual([[0, ['Transpose', 'Add']]])
})

it('attaches nothing that reads an element of an anchor more than once', () => {
  const sum = made('Sum', { x: use(0) }, use(1, [4, 1]), { axis: [1], keepDims: true })
  expect(attached([sum, add(use(1, [4, 1]), use(0), use(2))])).toEqual([[0, []]])
  expect(attached([sum, made('Neg', { x: use(1, [4, 1]) }, use(2, [4, 1]))])).toEqual([[0, ['Neg']]])
})

it('attaches nothing to sums in parts, which are not whole yet', () => {
  const parts = made('Sum', { x: use(0) }, use(1, [2, 4, 4]), { axis: [1], parts: 2 })
  const whole = made('PartSum', { x: use(1, [2, 4, 4]) }, use(2), { parts: 2 })
  expect(attached([parts, whole, made('Neg', { x: use(2) }, use(3))])).toEqual([[0, []]])
})

it('takes no operation before what it reads', () => {
  const late = [made('Neg', { x: use(1) }, use(2)), first]
  expect(() => attach(graph(late))).toThrow('has Neg before what it reads')
  expect(attached(late.toReversed())).toEqual([[0, ['Neg']]])
})
