import { describe, expect, it } from 'vitest'
import { INSIDE } from '../../../../engine/charts/stored/inside.ts'
import { NAMED_CHARTS } from '../../../../engine/charts/stored/named.ts'
import type { StoredRuns } from '../../../../engine/charts/stored/source.ts'
import type { StoredHistogram } from '../../../../engine/records/histogram.ts'
import { MIXING, writeSafetensors } from '../../../../engine/weights/safetensors.ts'
import { style } from '../style.ts'

const TENSORS = ['stem.weight', 'blocks.0.fc.weight', 'blocks.10.fc.weight', 'blocks.2.fc.weight']
const histogram = { step: 5, min: -1, max: 1, mean: 0, sd: 0.5, notFinite: 0, counts: [1, 2, 1] }
const histograms = TENSORS.flatMap((name): StoredHistogram[] => [
  { name, kind: 'weights', ...histogram },
  { name, kind: 'gradients', ...histogram },
])
const norms = TENSORS.map((name) => ({
  name,
  step: 5,
  weights: 2,
  gradients: 1,
  update: name.startsWith('b') ? 0.1 : 0.2,
}))
const square = { shape: [4, 4], values: Float32Array.from({ length: 16 }, (_, i) => i) }
const file = writeSafetensors(
  [
    { name: 'blocks.0.mix.weight', ...square },
    { name: 'blocks.1.mix.weight', ...square },
    { name: 'blocks.0.relative_attention_bias.weight', ...square },
  ],
  { [MIXING]: JSON.stringify({ 'blocks.0.mix.weight': null, 'blocks.1.mix.weight': null }) },
)

const run = (id: number, variant: string) => ({ id, variant, seed: 1, hasWeights: true, metrics: {} })

/** Runs of these variants, with the same inside. */
const stored = (layers?: string[], variants = ['a']): StoredRuns =>
  ({
    host: {
      readHistograms: async () => histograms,
      readNorms: async () => norms,
      readWeights: async () => file,
    },
    runs: variants.map((variant, i) => run(i + 1, variant)),
    variants,
    layers: layers && { names: layers, option: '--layers' },
  }) as unknown as StoredRuns

async function drawn(name: string, layers?: string[], variants?: string[]) {
  const panels = (await INSIDE[name]?.panels(stored(layers, variants))) ?? []
  return panels.map((panel) => panel(style))
}
const titles = async (...given: Parameters<typeof drawn>) => (await drawn(...given)).map(({ title }) => title)

it('each is among the charts that have a name', () => {
  expect(Object.keys(NAMED_CHARTS)).toEqual(expect.arrayContaining(Object.keys(INSIDE)))
})

it('weights and gradients have a histogram for each tensor, in the order of the layers', async () => {
  expect(await titles('histograms')).toEqual([
    'Weights of blocks.0.fc.weight',
    'Weights of blocks.2.fc.weight',
    'Weights of blocks.10.fc.weight',
    'Weights of stem.weight',
  ])
  expect((await titles('gradients'))[0]).toBe('Gradients of blocks.0.fc.weight')
})

it('the norms of layers are two charts, or one where nothing is known of updates', async () => {
  const [gradient, ratio] = await drawn('norms')
  expect(gradient?.rows.map(([layer]) => layer)).toEqual(['stem', 'blocks.0', 'blocks.2', 'blocks.10'])
  expect(ratio?.rows.map(([, , value]) => value)).toEqual([0.1, 0.05, 0.05, 0.05])
})

it('filters of a text are its square matrices; biases of relative positions have a row a head', async () => {
  expect((await drawn('filters'))[0]?.columns.slice(0, 2)).toEqual(['layer', 'output'])
  expect((await drawn('relative'))[0]?.rows).toHaveLength(4)
})

it('attention is that which somebody reads from the model', async () => {
  const map = { layer: 'blocks.0.attn', heads: 1, rows: 2, columns: 2, values: Float32Array.of(0, 1, 0.5, 0.5) }
  const own = { ...stored(['blocks.0']), attention: async () => [map] }
  const [panel] = (await INSIDE.attention?.panels(own)) ?? []
  expect(panel?.(style).rows).toEqual([
    ['blocks.0.attn, head 0', 0, 0, 1],
    ['blocks.0.attn, head 0', 1, 0.5, 0.5],
  ])
  expect(await drawn('attention')).toEqual([])
})

describe('layers', () => {
  it('are chosen by their names, or by the start of these up to a dot', async () => {
    expect(await titles('histograms', ['blocks.2', 'stem.weight'])).toEqual([
      'Weights of blocks.2.fc.weight',
      'Weights of stem.weight',
    ])
    expect(await titles('histograms', ['blocks.1', 'blocks.10']).catch(({ message }) => message)).toContain('blocks.1')
    expect((await drawn('mixing', ['blocks.1']))[0]?.rows.map(([layer]) => layer)).toEqual(
      Array(4).fill('blocks.1.mix'),
    )
    expect((await drawn('norms', ['blocks.10']))[0]?.rows).toHaveLength(1)
  })
  it('that are not there are an error, which lists those that are', async () => {
    await expect(drawn('histograms', ['blocks.9'])).rejects.toThrow(
      "--layers: unknown layer 'blocks.9' (known: blocks.0, blocks.2, blocks.10, stem)",
    )
    await expect(drawn('mixing', [''])).rejects.toThrow("unknown layer '' (known: blocks.0, blocks.1)")
    await expect(drawn('memories', ['blocks.9'])).resolves.toEqual([])
  })
})

it('charts of several runs say whose they are', async () => {
  expect(await titles('mixing', undefined, ['a', 'b'])).toEqual([
    'Token-mixing weights: a, seed 1',
    'Token-mixing weights: b, seed 1',
  ])
})
