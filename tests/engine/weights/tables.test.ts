import { describe, expect, it } from 'vitest'
import { bert, eamlp, external, externalUnit, gmlp, mixer } from '../../../engine/models/index.ts'
import { relativeBucket } from '../../../engine/nn/layers/relativePosition.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { writeWeights } from '../../../engine/weights/model.ts'
import { type NamedTensor, readSafetensors } from '../../../engine/weights/safetensors.ts'
import { externalMemories, relativePositions } from '../../../engine/weights/tables.ts'
import { tinyModel } from '../models/tiny.ts'

async function tensorsOf(block: Block, modality: 'image' | 'text' = 'image'): Promise<NamedTensor[]> {
  const model = tinyModel(block, modality)
  const { tensors } = readSafetensors(await writeWeights(model.parameters))
  model.dispose()
  return tensors
}

const tensor = (name: string, shape: number[], values: number[]): NamedTensor => {
  return { name, shape, values: Float32Array.from(values) }
}

describe('externalMemories', () => {
  it.each<[string, Block, string[]]>([
    ['external', external({ slots: 5 }), ['blocks.0.keys', 'blocks.0.values', 'blocks.1.keys', 'blocks.1.values']],
    [
      'externalUnit',
      externalUnit({ slots: 5 }),
      ['blocks.0.keys', 'blocks.0.values', 'blocks.1.keys', 'blocks.1.values'],
    ],
    ['mixer', mixer, []],
  ])('finds those of %s', async (_, block, names) => {
    const found = externalMemories(await tensorsOf(block))
    expect(found.map(({ name }) => name)).toEqual(names)
    for (const { rows, columns, values } of found) expect([rows, values.length]).toEqual([5, 5 * columns])
  })
  it('finds those of eamlp, which are in its stem, too', async () => {
    const found = externalMemories(await tensorsOf(eamlp({ heads: 2, slots: 5, stemDim: 4, stemSlots: 6 })))
    expect(found.map(({ name, rows }) => `${name} ${rows}`)).toEqual([
      ...[1, 2].flatMap((i) => ['keys', 'values'].map((what) => `tokens_to_token.attention${i}.attn.${what} 6`)),
      ...[0, 1].flatMap((i) => ['keys', 'values'].map((what) => `blocks.${i}.attn.${what} 5`)),
    ])
  })
  it('has slots as rows, of keys and of values', () => {
    const file = [
      tensor('linear_0.weight', [2, 3], [1, 2, 3, 4, 5, 6]),
      tensor('linear_1.weight', [3, 2, 1], [10, 40, 20, 50, 30, 60]),
    ]
    const [keys, values] = externalMemories(file)
    expect([keys?.name, [...(keys?.values ?? [])]]).toEqual(['keys', [1, 2, 3, 4, 5, 6]])
    expect([values?.rows, values?.columns, [...(values?.values ?? [])]]).toEqual([2, 3, [10, 20, 30, 40, 50, 60]])
  })
  it('takes no layers of a cell that are called so and are something else', () => {
    const alone = tensor('a.linear_0.weight', [2, 3], [1, 2, 3, 4, 5, 6])
    expect(externalMemories([alone])).toEqual([])
    expect(externalMemories([alone, tensor('a.linear_1.weight', [2, 2], [1, 2, 3, 4])])).toEqual([])
  })
})

describe('relativePositions', () => {
  it('finds those of each layer of bert, and none elsewhere', async () => {
    const found = relativePositions(await tensorsOf(bert({ heads: 2, positions: 16, relativeBuckets: 8 }), 'text'))
    expect(found.map(({ rows, columns }) => [rows, columns])).toEqual([
      [2, 7],
      [2, 7],
    ])
    expect(found[1]?.name).toMatch(/1\.attention\.self\.relative_attention_bias\.weight$/)
    expect(relativePositions(await tensorsOf(gmlp))).toEqual([])
  })
  it('has a row a head, and its buckets from far before to far after the query', () => {
    const [buckets, heads, most] = [8, 2, 16]
    const values = Array.from({ length: buckets * heads }, (_, at) => Math.floor(at / heads) + 100 * (at % heads))
    const [table] = relativePositions([tensor('x.relative_attention_bias.weight', [buckets, heads], values)])
    const passed = Array.from({ length: 81 }, (_, i) => relativeBucket(i - 40, buckets, most))
    const inOrder = passed.filter((bucket, i) => bucket !== passed[i - 1])
    expect([...(table?.values ?? [])]).toEqual([...inOrder, ...inOrder.map((bucket) => 100 + bucket)])
    expect(table).toMatchObject({ rows: heads, columns: inOrder.length })
  })
})
