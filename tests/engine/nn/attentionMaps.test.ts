import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { amlp, bert, eamlp, external, mixer, vit } from '../../../engine/models/index.ts'
import { attentionMaps } from '../../../engine/nn/attentionMaps.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { tinyBatch, tinyModel } from '../models/tiny.ts'

/** The maps of a tiny model for an example of a batch of 3. */
async function mapsOf(block: Block, modality: 'image' | 'text' = 'image', example = 0) {
  const model = tinyModel(block, modality)
  const { input, target } = tinyBatch(modality, 3)
  const maps = await attentionMaps((mode) => model.apply(input, mode), example)
  tf.dispose([input, target])
  model.dispose()
  return maps
}

const sumOf = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0)

describe('attentionMaps', () => {
  it.each<[string, Block, 'image' | 'text', string, number[]]>([
    ['vit', vit({ heads: 2 }), 'image', 'attn', [2, 17, 17]],
    ['vit of patches 4 x 8', vit({ heads: 2, patch: [4, 8] }), 'image', 'attn', [2, 9, 9]],
    ['amlp', amlp({ attention: 4 }), 'image', 'tiny_attn', [1, 16, 16]],
    ['bert', bert({ heads: 2, positions: 16 }), 'text', '', [2, 12, 12]],
    [
      'bert by places alone',
      bert({ heads: 2, positions: 16, relativeBuckets: 8, contentAttention: false }),
      'text',
      '',
      [...[2, 12, 12]],
    ],
  ])('are of each head of each layer, and each row sums to 1: %s', async (_, block, modality, name, shape) => {
    const maps = await mapsOf(block, modality)
    expect(maps).toHaveLength(2)
    for (const { layer, heads, rows, columns, values } of maps) {
      expect(layer).toContain(name)
      expect([heads, rows, columns]).toEqual(shape)
      for (let at = 0; at < values.length; at += columns) {
        expect(sumOf(values.subarray(at, at + columns))).toBeCloseTo(1, 5)
      }
    }
    expect(new Set(maps.map(({ layer }) => layer)).size).toBe(2)
  })

  it('are over the slots of a memory for external attention', async () => {
    const shapes = (await mapsOf(external({ slots: 8 }))).map(({ heads, rows, columns }) => [heads, rows, columns])
    expect(shapes).toEqual([
      [1, 16, 8],
      [1, 16, 8],
    ])
    const heads = await mapsOf(eamlp({ heads: 2, slots: 8, stemDim: 8, stemSlots: 8 }))
    expect(heads.at(-1)).toMatchObject({ layer: 'blocks.1.attn', heads: 8, columns: 8 })
  })

  it('are of the example asked for', async () => {
    const [first, second] = [await mapsOf(vit({ heads: 2 })), await mapsOf(vit({ heads: 2 }), 'image', 1)]
    expect(first[0]?.values).not.toEqual(second[0]?.values)
  })

  it('are none where nothing attends, and leave no tensor behind where the model throws', async () => {
    expect(await mapsOf(mixer)).toEqual([])
    const model = tinyModel(vit({ heads: 2 }), 'image')
    const { input, target } = tinyBatch('image', 1)
    const failing = attentionMaps((mode) => {
      model.apply(input, mode)
      throw new Error('broken')
    })
    await expect(failing).rejects.toThrow('broken')
    tf.dispose([input, target])
    model.dispose()
  })
})
