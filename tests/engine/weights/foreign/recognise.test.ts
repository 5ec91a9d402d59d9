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

describe('a file without a word about its model is known by its tensors', () => {
  it.each([
    ['gmlp_s16_224', gmlp({ patch: 16, dim: 256, depth: 30, ffn: 1536 }), 224, 19_422_656],
    ['mixer_b16_224', mixer({ patch: 16, dim: 768, depth: 12 }), 224, 59_880_472],
    ['resmlp_12_224', resmlp({ patch: 16, dim: 384, depth: 12 }), 224, 15_350_872],
    ['deit_tiny_patch16_224', vit({ patch: 16, dim: 192, depth: 12, heads: 3 }), 224, 5_717_416],
    ['a small Mixer', mixer({ patch: 4, dim: 24, depth: 2, tokenRatio: 0.25, ffn: 40 }), 28, null],
  ])('%s', async (_, block, side, count) => {
    const tensors = await tensorsOf(block, side, 1000)
    const found = recognise(tensors, 'f')
    expect([found.input, found.classes]).toEqual([[side, side, 3], 1000])
    const again = await tensorsOf(found.block, side, 1000)
    expect(again).toEqual(tensors)
    const values = again.reduce((sum, { shape }) => sum + shape.reduce((product, length) => product * length, 1), 0)
    if (count !== null) expect(values).toBe(count)
  })
  it('or else it is refused', async () => {
    expect(() => recognise([{ name: 'a', shape: [1], values: new Float32Array(1) }], 'f')).toThrow(
      'f: its tensors are not those of a gMLP, Mixer, ResMLP or ViT of pictures',
    )
    const tensors = await tensorsOf(amlp({ patch: 4, dim: 8, depth: 1, ffn: 8 }), 8, 3)
    const cut = tensors.filter(({ name }) => name !== 'head.weight')
    expect(() => recognise(cut, 'f')).toThrow("f: has no 'head.weight' with 1 axes")
  })
})
