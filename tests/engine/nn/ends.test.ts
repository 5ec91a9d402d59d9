import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { create, oneBlank } from '../../../engine/cost/trace.ts'
import { shapes } from '../../../engine/data/index.ts'
import { gmlp, mixer } from '../../../engine/models/index.ts'
import { block } from '../../../engine/nn/block.ts'
import { head, stem } from '../../../engine/nn/ends.ts'
import { assemble, type Ends } from '../../../engine/nn/frame.ts'
import { conv2d } from '../../../engine/nn/layers/conv2d.ts'
import { dense } from '../../../engine/nn/layers/dense.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import { stages } from '../../../engine/nn/stack.ts'
import type { Block, Modality } from '../../../engine/nn/types.ts'
import { compare } from '../../../engine/study/compare.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { image } from '../../../engine/tasks/index.ts'
import { tracing } from '../../../engine/trace/backend.ts'
import { memoryFiles } from '../data/memory-files.ts'

const conv = stem('conv', (images, { dim }) => conv2d(images, dim, { stride: 4 }))
const own = head('own', (x, _, outputs) => dense(tf.max(x, 1), outputs, { name: 'own' }))

/** Names of the parameters of a model, and the shape of its logits. */
function modelOf(of: Block, modality: Modality = 'image', ends: Partial<Ends> = {}) {
  const size = resolveSize(of, { patch: 4, dim: 8, depth: 1 }, 'v')
  const shape = { image: [1, 16, 16, 3], text: [1, 6], features: [1, 6, 2] }[modality]
  return tracing(() => {
    const forward = assemble(of, size, modality, { inputs: 9, outputs: 5, ...ends })
    const { parameters, output } = create(
      forward,
      oneBlank({ shape, dtype: modality === 'text' ? 'int32' : 'float32' }),
    )
    return { names: [...parameters.keys()], logits: output.shape }
  })
}
const told = (...given: Parameters<typeof modelOf>) =>
  modelOf(...given).then(
    () => 'nothing',
    (error: Error) => error.message,
  )

describe('a stem and a head', () => {
  it('stand for those of a block, which is another block then', async () => {
    const both = gmlp({ stem: conv, head: own, ffn: 6 })
    const { names, logits } = await modelOf(both)
    expect([names[0], ...names.slice(-2)]).toEqual(['conv.weight', 'own.weight', 'own.bias'])
    expect(logits).toEqual([1, 5])
    expect(both.origin).toBe(both)
    expect([both.blockName, both.options, both({ depth: 2 }).ends]).toEqual(['gmlp', { ffn: 6 }, both.ends])
    expect((await modelOf(gmlp)).names[0]).toBe('stem.proj.weight')
  })
  it('tell blocks how the tokens of a picture lie, and get sizes of the first and the last stage', async () => {
    const seen: unknown[] = []
    const asks = block('asks', (x, { grid }) => {
      seen.push(grid)
      return x
    })
    const pyramid = stages('p', [
      { block: asks, depth: 1, dim: 4 },
      { block: asks, depth: 1, dim: 6 },
    ])
    const sized = {
      stem: stem('s', (x, { dim }) => conv2d(x, seen.push(dim) && dim, { stride: 2 })),
      head: head('h', (x, { dim }, n) => dense(tf.mean(x, 1), seen.push(dim) && n)),
    }
    await modelOf(pyramid(sized))
    expect(seen).toEqual([4, [8, 8], [4, 4], 6])
  })
  it('serve texts, with the head that the task asks for', async () => {
    const all = head('all', (x, _, outputs, pool) => dense(pool ? pool(x) : x, outputs))
    const of = (kind: Ends['head']) =>
      modelOf(gmlp({ head: all }), 'text', { ...(kind && { head: kind }) }).then(({ logits }) => logits)
    expect([await of('tokens'), await of('class'), await of('span')]).toEqual([
      [1, 6, 5],
      [1, 5],
      [1, 6, 2],
    ])
    expect((await modelOf(gmlp({ head: own }), 'features')).logits).toEqual([1, 5])
  })
  it('are told what they have to give', async () => {
    const wide = stem('wide', (images) => conv2d(images, 9))
    expect(await told(mixer({ stem: wide }))).toBe(
      "stem 'wide': returned [1,16,16,9], but the blocks take [batch, tokens, 8] or [batch, rows, columns, 8]",
    )
    expect(await told(mixer({ head: head('none', (x) => x) }))).toBe(
      "head 'none': returned [1,16,8], but the task takes [1,5]",
    )
    expect(await told(mixer({ head: head('void', () => undefined as never) }))).toContain('returned no tensor')
  })
  it('are made by stem() and head()', () => {
    const cases: [() => unknown, string][] = [
      [() => stem('', (x) => x), 'stem: expected a name as first argument'],
      [() => head('h', 1 as never), "head 'h': expected a function (x, size, outputs) => logits"],
      [
        () => gmlp({ stem: own as never }),
        'gmlp.stem: {"kind":"head","headName":"own"}, expected a stem, made by stem(\'name\', (input, size) => x)',
      ],
      [
        () => gmlp({ head: ((x: unknown) => x) as never }),
        "gmlp.head: a function, expected a head, made by head('name', (x, size, outputs) => y)",
      ],
    ]
    for (const [wrong, text] of cases) expect(wrong).toThrow(text)
  })
  it('leave alone a block that has options of these names', () => {
    const heads = block('heads', { head: 3 }, (x) => x)
    const { options, ends, origin } = heads({ head: 4 } as never)
    expect([options, ends, origin === heads]).toEqual([{ head: 4 }, {}, true])
  })
})

it('those of a study are those of all its variants but for what these say, and are in the keys', async () => {
  const task = image({ data: shapes({ size: 16, train: 20, test: 4 }) })
  const other = stem('other', (images, { dim }) => conv2d(images, dim, { stride: 8 }))
  const study = compare('s', {
    task,
    model: { dim: 8, depth: 1, stem: conv },
    variants: {
      gmlp,
      own: gmlp({ head: own }),
      other: gmlp({ stem: other }),
      again: { block: gmlp, model: { stem: other } },
    },
    seeds: 1,
  })
  const { planned, variants } = await openStudy(study, {}, memoryFiles({}))
  expect(variants.map(({ block: { ends } }) => [ends.stem?.stemName, ends.head?.headName])).toEqual([
    ['conv', undefined],
    ['conv', 'own'],
    ['other', undefined],
    ['other', undefined],
  ])
  expect(planned.map(({ spec }) => (spec.model as { stem?: string }).stem)).toEqual(['conv', 'conv', 'other', 'other'])
  const keys = planned.map(({ key }) => key)
  expect(new Set(keys).size).toBe(3)
  expect(keys[2]).toBe(keys[3])
  const [plain] = (
    await openStudy(
      compare('s', { task, model: { dim: 8, depth: 1 }, variants: { gmlp }, seeds: 1 }),
      {},
      memoryFiles({}),
    )
  ).planned
  expect(keys).not.toContain(plain?.key)
})
