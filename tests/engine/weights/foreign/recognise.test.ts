import { describe, expect, it } from 'vitest'
import { modelTensors } from '../../../../engine/cost/trace.ts'
import { amlp, gmlp, mixer, resmlp, vit } from '../../../../engine/models/index.ts'
import { assemble } from '../../../../engine/nn/frame.ts'
import { resolveSize } from '../../../../engine/nn/size.ts'
import type { Block } from '../../../../engine/nn/types.ts'
import { recognise } from '../../../../engine/weights/foreign/recognise.ts'

/** Names and shapes alone. */
async function tensorsOf(block: Block, side: number, classes: number) {
  const forward = assemble(block, resolveSize(block, {}, 'test'), 'image', { outputs: classes })
  const tensors = await modelTensors(forward, { shape: [1, side, side, 3] })
  return tensors.map(({ name, shape }) => ({ name, shape, values: new Float32Array() }))
}

const facts = { mean: [0.5], deviation: [0.5] }

describe('the heads of a ViT', () => {
  const known = async (dim: number, depth = 1) => {
    const tensors = await tensorsOf(vit({ patch: 16, dim, depth, heads: 1 }), 224, 10)
    return (architecture?: string, heads?: number) => {
      const config = { facts: {}, sizes: {}, notes: [], architecture }
      return recognise(tensors, 'f', { given: { ...facts, heads }, config }).block.options.heads
    }
  }
  it('are those of the published size that its configuration names, if it has its width', async () => {
    const tiny = await known(192)
    expect(tiny('vit_tiny_patch16_224')).toBe(3)
    expect(tiny('deit_tiny_distilled_patch16_224')).toBe(3)
    expect(tiny('vit_tiny_patch16_224', 12)).toBe(12)
    for (const other of ['vit_small_patch16_224', 'my_vit', undefined])
      expect(() => tiny(other)).toThrow('nothing says how')
    expect((await known(384))('vit_small_patch32_384.augreg_in21k')).toBe(6)
    expect(() => tiny('vit_tiny_patch16_224', 5)).toThrow('its width 192 is not divided by 5 heads')
  })
  it('are those of its tensors, where these have an axis for them', async () => {
    const tensors = await tensorsOf(vit({ patch: 4, dim: 12, depth: 1, heads: 1 }), 8, 3)
    const known = { given: facts, evident: { heads: 4 }, usual: { activation: 'gelu_tanh' as const } }
    const { block, notes } = recognise(tensors, 'f', known)
    expect(block.options).toMatchObject({ heads: 4, activation: 'gelu_tanh', eps: 1e-6 })
    expect(notes[0]).toBe('nothing says otherwise, so as usual: --activation gelu_tanh, --eps 0.000001, --pool token')
    expect(() => recognise(tensors, 'f', { ...known, given: { ...facts, heads: 3 } })).toThrow('has 4 heads, not 3')
  })
})

it('an aMLP has its tiny attention, and a Mixer whatever number of hidden tokens', async () => {
  const tensors = await tensorsOf(amlp({ patch: 4, dim: 8, depth: 1, ffn: 8, attention: 5, qkvBias: false }), 8, 3)
  expect(recognise(tensors, 'f', { given: facts }).block.options).toMatchObject({ attention: 5, qkvBias: false })
  for (let hidden = 1; hidden < 60; hidden++) {
    const mixing = await tensorsOf(mixer({ patch: 4, dim: 49, depth: 1, tokenRatio: (hidden + 0.5) / 49 }), 8, 3)
    const { block } = recognise(mixing, 'f', { given: facts })
    expect(Math.floor((block.options.tokenRatio as number) * 49)).toBe(hidden)
  }
})

describe('a file without a word about its model is known by its tensors', () => {
  it.each([
    ['gmlp_s16_224', gmlp({ patch: 16, dim: 256, depth: 30, ffn: 1536 }), 224, 19_422_656],
    ['mixer_b16_224', mixer({ patch: 16, dim: 768, depth: 12 }), 224, 59_880_472],
    ['resmlp_12_224', resmlp({ patch: 16, dim: 384, depth: 12 }), 224, 15_350_872],
    ['deit_tiny_patch16_224', vit({ patch: 16, dim: 192, depth: 12, heads: 3 }), 224, 5_717_416],
    ['a small Mixer', mixer({ patch: 4, dim: 24, depth: 2, tokenRatio: 0.25, ffn: 40 }), 28, null],
  ])('%s', async (_, block, side, count) => {
    const tensors = await tensorsOf(block, side, 1000)
    const found = recognise(tensors, 'f', { given: { ...facts, heads: 3 } })
    expect([found.input, found.classes]).toEqual([[side, side, 3], 1000])
    const again = await tensorsOf(found.block, side, 1000)
    expect(again.map(({ name }) => name).sort()).toEqual(tensors.map(({ name }) => name).sort())
    expect(again).toEqual(expect.arrayContaining(tensors))
    const values = again.reduce((sum, { shape }) => sum + shape.reduce((product, length) => product * length, 1), 0)
    if (count !== null) expect(values).toBe(count)
  })
  it('or else it is refused', async () => {
    expect(() => recognise([{ name: 'a', shape: [1], values: new Float32Array(1) }], 'f')).toThrow(
      'f: its tensors are not those of a gMLP, Mixer, ResMLP, RepMLPNet or ViT of pictures',
    )
    const tensors = await tensorsOf(amlp({ patch: 4, dim: 8, depth: 1, ffn: 8 }), 8, 3)
    const cut = tensors.filter(({ name }) => name !== 'head.weight')
    const renamed = tensors.map((each) => ({ ...each, name: each.name.replace(/^head\./, 'fc.') }))
    expect(() => recognise(renamed, 'f')).toThrow("f: has no 'head.weight'; if its head is 'fc.weight', rename it")
    expect(() => recognise(cut, 'f')).toThrow(
      'f: has no head: it gives features and names no classes; a study that starts from it, from',
    )
  })
})
