import { describe, expect, it } from 'vitest'
import { foldLayers } from '../../../engine/cost/fold.ts'
import type { Layer } from '../../../engine/cost/layers.ts'

const layer = (name: string, depth = 0, parameters = 1): Layer => ({
  name,
  depth,
  parameters,
  macs: 2,
  outputShape: [1],
})
const folds = (...layers: Layer[]) =>
  foldLayers(layers).map(({ first, last, count, layers }) => [first, last, count, layers.length])

describe('foldLayers', () => {
  it('joins equal blocks that follow each other', () => {
    const block = (i: number) => [layer(`blocks.${i}`), layer(`blocks.${i}.norm`, 1)]
    const found = folds(layer('stem'), ...[8, 9, 10].flatMap(block), layer('head'))
    expect(found).toEqual([
      ['stem', 'stem', 1, 1],
      ['blocks.8', 'blocks.10', 3, 2],
      ['head', 'head', 1, 1],
    ])
  })
  it.each([
    ['another size', [layer('blocks.0'), layer('blocks.1', 0, 3)]],
    ['another inside', [layer('blocks.0'), layer('blocks.0.a', 1), layer('blocks.1'), layer('blocks.1.b', 1)]],
    ['a gap', [layer('blocks.0'), layer('blocks.2')]],
    ['another name', [layer('blocks.0'), layer('stages.1')]],
    ['no number', [layer('norm'), layer('norm')]],
  ])('keeps layers with %s apart', (_what, layers) => {
    expect(foldLayers(layers)).toHaveLength(2)
  })
  it('joins by the last number of a name', () => {
    expect(folds(layer('layer1.0'), layer('layer1.1'), layer('layer2.0'), layer('layer2.1'))).toEqual([
      ['layer1.0', 'layer1.1', 2, 1],
      ['layer2.0', 'layer2.1', 2, 1],
    ])
  })
  it('of nothing is nothing', () => {
    expect(foldLayers([])).toEqual([])
  })
})
