import { expect, it } from 'vitest'
import { treeOf } from '../../../engine/diagram/tree.ts'
import { gmlp, mixer, vit } from '../../../engine/models/index.ts'
import { stack, stages } from '../../../engine/nn/stack.ts'
import { blockOfCell, drawn, outline, partAt } from './models.ts'

Error.stackTraceLimit = 50 // as in the kernel

it('shows equal blocks once, as often as they follow each other', async () => {
  const root = treeOf(await drawn('gmlp', gmlp, 'image', 6))
  expect(outline(root)).toEqual(['stem.proj', 'blocks.0 … blocks.5 x6', 'norm', 'mean', 'head'])
  const blocks = partAt(root, 'blocks.0 … blocks.5')
  expect(outline(blocks)).toEqual([
    ...['norm', 'mlp_channels.fc1', 'gelu', 'mlp_channels.gate', 'mlp_channels.fc2', 'residual'],
  ])
  const inside = blocks.children.reduce((sum, { parameters }) => sum + parameters, 0)
  expect(blocks.parameters).toBe(6 * inside)
})

it('does so whatever the layers of each block are called', async () => {
  const block = await blockOfCell("  return residual(x, dense(gelu(x), dim, { name: 'layer' + 'abcd'[layer] }))")
  const root = treeOf(await drawn('mine', block))
  expect(outline(root)).toContain('blocks.0 … blocks.3 x4')
})

it('shows rows of several parts that repeat, and stages apart', async () => {
  const mixed = treeOf(await drawn('mixed', stack('mixed', [mixer, gmlp])({ depth: 6 })))
  const repeat = mixed.children[1]
  expect(repeat).toMatchObject({ kind: 'repeat', name: 'blocks.0 … blocks.5', count: 3 })
  expect(repeat?.children.map(({ name }) => name)).toEqual(['blocks.0', 'blocks.1'])
  const pyramid = stages('pyramid', [
    { block: mixer, depth: 2 },
    { block: mixer, depth: 3, dim: 12, merge: 2 },
  ])
  const parts = outline(treeOf(await drawn('pyramid', pyramid)))
  expect(parts).toEqual([
    'stem.proj',
    'blocks.0 … blocks.1 x2',
    'merges.0',
    'blocks.2 … blocks.4 x3',
    'norm',
    'mean',
    'head',
  ])
})

it('does not take parts for repeated that stand side by side, or that differ in a number', async () => {
  const side =
    "  const [q, k, v] = ['q', 'k', 'v'].map((name) => dense(x, dim, { name }))\n  return residual(x, mul(q, mul(k, v)))"
  const root = treeOf(await drawn('mine', await blockOfCell(side)))
  expect(outline(partAt(root, 'blocks.0 … blocks.3'))).toEqual(['q', 'k', 'v', 'mul', 'mul', 'residual'])
  const scaled = treeOf(await drawn('mine', await blockOfCell('  return residual(x, mul(x, 0.5 + layer))')))
  expect(outline(scaled)).toEqual(['stem.proj', 'blocks.0', 'blocks.1', 'blocks.2', 'blocks.3', 'norm', 'mean', 'head'])
  const other = treeOf(await drawn('mine', await blockOfCell('  return layer === 1 ? relu(x) : gelu(dense(x, dim))')))
  expect(outline(other).slice(1, 4)).toEqual(['blocks.0', 'blocks.1', 'blocks.2 … blocks.3 x2'])
})

it('does not take two branches that are added up one after the other for repeated', async () => {
  const body =
    '  const [a, b] = [relu(x), gelu(x)]\n  return add(add(x, dense(a, dim, { name: "a" })), dense(b, dim, { name: "b" }))'
  const root = treeOf(await drawn('mine', await blockOfCell(body)))
  expect(outline(partAt(root, 'blocks.0 … blocks.3'))).toEqual(['relu', 'gelu', 'a', 'add', 'b', 'add'])
})

it('joins what one call in a cell has made', async () => {
  const root = treeOf(await drawn('mine', await blockOfCell('  return residual(x, scan(0.5, gelu(dense(x, dim))))')))
  const inside = partAt(root, 'blocks.0 … blocks.3')
  expect(inside.children.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    ...['layer dense', 'operation gelu', 'call scan', 'operation residual'],
  ])
  expect(partAt(inside, 'scan')).toMatchObject({ line: 'cell:4', shape: [1, 16, 8] })
})

it('gives each part a place of its own, the same each time', async () => {
  const ids = async () => {
    const found: string[] = []
    const walk = ({ id, children }: ReturnType<typeof treeOf>) => {
      found.push(id)
      children.forEach(walk)
    }
    walk(treeOf(await drawn('vit', vit({ heads: 2 }))))
    return found
  }
  const all = await ids()
  expect(new Set(all).size).toBe(all.length)
  expect(await ids()).toEqual(all)
})
