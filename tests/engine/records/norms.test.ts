import { expect, it } from 'vitest'
import { layerNormsOf, layerOf } from '../../../engine/records/norms.ts'

it.each([
  ['blocks.3.mlp.fc1.weight', 'blocks.3'],
  ['encoder.blocks.10.0.weight', 'encoder.blocks.10'],
  ['stages.1.blocks.2.weight', 'stages.1.blocks.2'],
  ['layer.2.weight', 'layer.2'],
  ['head.weight', 'head'],
  ['pos_embed', 'pos_embed'],
])('the layer of %s is %s', (name, layer) => {
  expect(layerOf(name)).toBe(layer)
})

it('norms of a layer are those of its tensors taken as one vector, in the order of the layers', () => {
  const row = (name: string, step: number, weights: number, gradients: number | null, update: number | null) => {
    return { name, step, weights, gradients, update }
  }
  const rows = [
    row('head.weight', 1, 2, 1, 0),
    row('norm.weight', 1, 0, 1, 1),
    row('blocks.10.a', 1, 3, 3, 0.3),
    row('blocks.10.b', 1, 4, 4, 0.4),
    row('blocks.2.a', 2, 1, null, null),
    row('blocks.2.a', 1, 1, 5, 0.1),
    row('stem.weight', 1, 1, 1, 1),
  ]
  expect(layerNormsOf(rows)).toEqual([
    { layer: 'stem', step: 1, gradient: 1, ratio: 1 },
    { layer: 'blocks.2', step: 1, gradient: 5, ratio: 0.1 },
    { layer: 'blocks.2', step: 2, gradient: null, ratio: null },
    { layer: 'blocks.10', step: 1, gradient: 5, ratio: 0.1 },
    { layer: 'norm', step: 1, gradient: 1, ratio: null },
    { layer: 'head', step: 1, gradient: 1, ratio: 0 },
  ])
})
