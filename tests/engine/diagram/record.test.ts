import { expect, it, test } from 'vitest'
import { modelOfSize } from '../../../engine/cost/published.ts'
import { traceModel } from '../../../engine/cost/trace.ts'
import { diagramOf } from '../../../engine/diagram/record.ts'
import { treeOf } from '../../../engine/diagram/tree.ts'
import { sample } from '../../long.ts'
import { tiny } from '../models/tiny.ts'
import { blockOfCell, codeOf, drawn, FIRST_LINE } from './models.ts'

Error.stackTraceLimit = 50 // as in the kernel

test.each(sample(tiny, 1))('%s adds up to what info counts', async (name, block, modality) => {
  const code = codeOf(block, modality)
  const { parameters, macs, activationBytes, layers } = await traceModel(...code)
  const diagram = await diagramOf(name, ...code)
  expect(diagram.totals).toMatchObject({ parameters, macs })
  expect(diagram).toMatchObject({ peakBytes: activationBytes, wrong: null })
  const read = new Set(diagram.operations.flatMap(({ inputs }) => inputs.map(({ operation }) => operation)))
  const unread = diagram.operations.filter((_, i) => !read.has(i))
  expect(unread).toEqual(diagram.operations.slice(-1)) // no box leads nowhere
  const root = treeOf(diagram)
  const sums = (of: 'parameters' | 'macs' | 'bytes') => root.children.reduce((sum, child) => sum + child[of], 0)
  expect([sums('parameters'), sums('macs'), sums('bytes')]).toEqual([parameters, macs, diagram.totals.bytes])
  for (const layer of layers.filter(({ depth, name }) => depth === 0 && name.includes('.'))) {
    const own = diagram.operations.filter(({ scopes }) => scopes[0] === layer.name)
    if (own.length > 0) expect(own.reduce((sum, each) => sum + each.macs, 0)).toBe(layer.macs)
  }
})

it('counts published sizes as info does', async () => {
  const code = modelOfSize('gmlp-s16')
  const { parameters, macs, activationBytes } = await traceModel(...code)
  const diagram = await diagramOf('gmlp-s16', ...code)
  expect(diagram).toMatchObject({ peakBytes: activationBytes, totals: { parameters, macs } })
})

it('counts a parameter where it is read first', async () => {
  const block = await blockOfCell("  return residual(x, dense(x, dim, { name: 'one' }))")
  const { operations } = await drawn('mine', block, 'text', 1)
  const tied = operations.filter(({ inputs }) => inputs.some(({ parameter }) => parameter === 'embed.weight'))
  expect(tied.map(({ parameters }) => parameters)).toEqual([88, 0])
})

it('knows the line and the call of a cell that made each operation', async () => {
  const block = await blockOfCell('  const y = gelu(x)\n  const z = scan(0.5, y)\n  return residual(x, tf.mul(z, 0.5))')
  const { operations } = await drawn('mine', block, 'image', 1)
  const made = operations.filter(({ place }) => place)
  expect([...new Set(made.map(({ place }) => `${place?.line} ${place?.call}`))]).toEqual([
    ...[`cell:${FIRST_LINE} gelu`, `cell:${FIRST_LINE + 1} scan`],
    ...[`cell:${FIRST_LINE + 2} mul`, `cell:${FIRST_LINE + 2} residual`],
  ])
  expect(operations.filter(({ place }) => !place).every(({ scopes }) => !scopes[0]?.startsWith('blocks'))).toBe(true)
})

it('gives what a model does until its code fails, and where that is', async () => {
  const block = await blockOfCell("  const y = dense(x, ffn, { name: 'up' })\n  return add(x, y)")
  const diagram = await drawn('mine', block)
  expect(diagram.wrong).toEqual({
    sentence: 'add: shapes [1,16,8] and [1,16,32] do not fit',
    line: `cell:${FIRST_LINE + 1}`,
    scopes: ['blocks.0'],
  })
  expect(diagram.peakBytes).toBe(null)
  const root = treeOf(diagram)
  const inside = root.children.at(-1)
  expect(inside?.name).toBe('blocks.0')
  expect(inside?.children.map(({ name, wrong }) => [name, wrong])).toEqual([
    ['up', null],
    ['fails here', diagram.wrong?.sentence],
  ])
})

it('says of code that reads values, or fails before its first operation, that it does', async () => {
  const reads = await drawn('mine', await blockOfCell('  x.dataSync()\n  return x'))
  expect(reads.wrong).toMatchObject({ sentence: 'reads values of a tensor', line: `cell:${FIRST_LINE}` })
  const fails = await drawn('mine', await blockOfCell("  throw new Error('no')"))
  const root = treeOf(fails)
  expect(root.children.at(-1)?.children.at(-1)?.wrong).toBe('no')
})
