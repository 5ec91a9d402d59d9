import { expect, it, test } from 'vitest'
import { differenceOf } from '../../../engine/diagram/difference.ts'
import type { DiagramNode } from '../../../engine/diagram/node.ts'
import { treeOf } from '../../../engine/diagram/tree.ts'
import { gmlp, mixer, vit } from '../../../engine/models/index.ts'
import { blockOfCell, drawn } from './models.ts'

Error.stackTraceLimit = 50 // as in the kernel

const DEPTH = 4

/** gMLP with other names of all its layers; `line` comes after the first dense layer, `rest` at the end. */
const fork = (line = 'x = gelu(x)', rest = 'return residual(shortcut, x)', up = 'ffn') =>
  blockOfCell(
    `  const shortcut = x
  x = layerNorm(x, { name: 'before' })
  x = dense(x, ${up}, { name: 'up' })
  ${line}
  x = spatialGating(x, { name: 'sgu' })
  x = dense(x, dim, { name: 'down' })
  ${rest}`,
    '{ ffnRatio: 6 }',
  )

/** What is marked in the tree of a difference. */
function marked(node: DiagramNode): string[] {
  const own = node.kind === 'operation' && node.mark ? [`${node.mark} ${node.name}`] : []
  return [...own, ...node.children.flatMap(marked)]
}

const changes: [line: string, found: string[]][] = [
  ['x = gelu(x)', []],
  ['', ['removed gelu']],
  ['x = relu(x)', ['removed gelu', 'added relu']],
  ['x = mul(gelu(x), 0.5)', ['added mul']],
  ['x = gelu(layerNorm(x))', ['added norm']],
  ['x = layerNorm(gelu(x))', ['added norm']],
  ['x = gelu(mul(x, x))', ['added mul']],
]

test.each(changes)('finds what %j changes, in each block, with layers of other names', async (line, found) => {
  const [a, b] = [await drawn('gmlp', gmlp, 'image', DEPTH), await drawn('fork', await fork(line), 'image', DEPTH)]
  const difference = differenceOf(a, b)
  const root = treeOf(difference.diagram)
  expect(marked(root)).toEqual(found)
  expect(root.children[1]).toMatchObject({ count: DEPTH, mark: found.length > 0 ? 'changed' : null })
  expect(difference.added + difference.removed + difference.changed).toBe(DEPTH * found.length)
  expect(difference.diagram.totals).toEqual(b.totals)
})

it('finds another constant, another shape and another input', async () => {
  const half = await drawn('half', await fork('x = mul(gelu(x), 0.5)'))
  const third = await drawn('third', await fork('x = mul(gelu(x), 0.3)'))
  const constant = differenceOf(half, third).diagram.operations.filter(({ mark }) => mark)
  expect(constant.map(({ name, was }) => `${name} was ${was}`)).toEqual(Array(4).fill('mul was of 1 × 16 × 48 and 0.5'))

  const wide = await drawn('wide', await fork(undefined, undefined, '2 * ffn'))
  const shapes = differenceOf(await drawn('fork', await fork()), wide).diagram.operations
  expect(shapes.filter(({ mark }) => mark && mark !== 'changed')).toEqual([])
  expect(shapes.find(({ mark, name }) => mark && name === 'matMul')?.was).toBe('16 × 48')

  const rewired = await drawn('rewired', await fork(undefined, 'return residual(x, x)'))
  const [found] = differenceOf(await drawn('fork', await fork()), rewired).diagram.operations.filter(({ mark }) => mark)
  expect(found).toMatchObject({ name: 'add', mark: 'changed', was: 'reading another' })
  expect(found?.inputs.map(({ mark }) => mark)).toEqual(['added', undefined, 'removed'])
})

it('leaves nothing out between models that have little in common', async () => {
  const [a, b] = [await drawn('mixer', mixer), await drawn('vit', vit({ heads: 2 }))]
  const { diagram, added, removed, changed } = differenceOf(a, b)
  expect(diagram.operations).toHaveLength(added + b.operations.length - added + removed)
  expect(a.operations.length - removed).toBe(b.operations.length - added)
  expect(changed).toBeGreaterThan(0)
  for (const [at, { inputs }] of diagram.operations.entries()) {
    for (const { operation = -1, mark } of inputs) if (mark !== 'removed') expect(operation).toBeLessThan(at)
  }
  expect(marked(treeOf(differenceOf(a, a).diagram))).toEqual([])
})

it('compares each sort of part once, however deep the models are', async () => {
  const compared = async (depth: number) => {
    const [a, b] = [
      await drawn('gmlp', gmlp, 'image', depth),
      await drawn('fork', await fork('x = relu(x)'), 'image', depth),
    ]
    return differenceOf(a, b).compared
  }
  const few = await compared(2)
  expect(few).toBeLessThan(60)
  expect(await compared(12)).toBe(few)
})
