import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { bert, gmlp, vit } from '../../../engine/models/index.ts'
import type { Parameter } from '../../../engine/nn/scope.ts'
import type { Block, Modality } from '../../../engine/nn/types.ts'
import { layerScales, withLayerDecay } from '../../../engine/train/layerDecay.ts'
import { adamw, lamb, type OptimizerSpec, optimizerKind, sgd } from '../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { smallModel } from '../compile/models.ts'
import { describeOnBoth } from './backends.ts'
import { valuesOf, withParameters } from './parameters.ts'
import { collect, toyModel, toyTask } from './toy.ts'

const values = {
  'stem.weight': [1, -2],
  'blocks.0.fc.weight': [3],
  'blocks.1.fc.weight': [-1, 0.5],
  'head.weight': [2],
}

/** How far some updates move each parameter. */
function moved(optimizer: OptimizerSpec, decay?: number): Promise<Record<string, number[]>> {
  return withParameters(values, (parameters) => {
    const kind = optimizerKind(optimizer.optimizer)
    const own = withLayerDecay(
      (all, rates) => kind.create(kind.resolve(optimizer.options), all, rates),
      parameters,
      decay,
    )
    tf.tidy(() => {
      const gradients = parameters.map(({ name, variable }) => [name, tf.mul(variable, 0.1).add(0.01)])
      own.update(Object.fromEntries(gradients), 0.01)
    })
    own.dispose()
    return changes(parameters)
  })
}

function changes(parameters: Parameter[]): Record<string, number[]> {
  const after = Object.entries(valuesOf(parameters)) as [keyof typeof values, number[]][]
  return Object.fromEntries(after.map(([name, now]) => [name, now.map((value, i) => value - (values[name][i] ?? 0))]))
}

describe('layerScales', () => {
  it('fall from the head to the stem, as layer_decay of timm', () => {
    const names = [
      'pos_embed',
      'stem.proj.weight',
      'blocks.0.a',
      'blocks.1.a',
      'blocks.2.b',
      'norm.weight',
      'head.bias',
    ]
    expect(layerScales(names, 0.5)).toEqual([1 / 16, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 1])
  })
  it('know one block, blocks from the first name on, and more than ten', () => {
    expect(layerScales(['stem.weight', 'blocks.0.a', 'head.bias'], 0.5)).toEqual([1 / 4, 1 / 2, 1])
    expect(layerScales(['blocks.0.a', 'head.bias'], 0.5)).toEqual([1 / 2, 1])
    const names = ['stem.weight', 'blocks.0.a', 'blocks.10.a']
    expect(layerScales(names, 0.5)).toEqual([2 ** -12, 2 ** -11, 1 / 2])
  })
  it('of what merges patches are those of the block behind it', () => {
    const names = ['stem.weight', 'blocks.0.a', 'merges.0.norm.weight', 'blocks.1.a', 'head.bias']
    expect(layerScales(names, 0.5)).toEqual([1 / 8, 1 / 4, 1 / 2, 1 / 2, 1])
  })
  it('go by whole segments of names', () => {
    const names = ['myblocks.7.a', 'encoder.layer.0.a', 'layer.1.a', 'blocks.x.a', 'blocks.7']
    expect(layerScales(names, 0.5)).toEqual([1 / 8, 1 / 4, 1 / 2, 1, 1])
  })
  it.each<[string, Block, Modality, RegExp, RegExp]>([
    ['gmlp', gmlp, 'image', /^stem/, /^(norm|head)/],
    ['gmlp of text', gmlp({ tied: false }), 'text', /^embed/, /^(norm|head)/],
    ['vit', vit({ heads: 2 }), 'image', /^(cls_token|pos_embed|patch_embed)/, /^(norm|head)/],
    ['bert', bert({ heads: 2, positions: 8 }), 'text', /^bert\.embeddings/, /^cls/],
  ])('finds stem, blocks and head of %s', (_, block, modality, stem, head) => {
    const model = smallModel(block, modality, { depth: 2 })
    const names = model.parameters.map(({ name }) => name)
    model.dispose()
    for (const [i, scale] of layerScales(names, 0.5).entries()) {
      const name = names[i] as string
      const block = /\.?(?:blocks|layer)\.(\d)\./.exec(name)?.[1]
      const wanted = stem.test(name) ? 1 / 8 : head.test(name) ? 1 : block === '0' ? 1 / 4 : 1 / 2
      expect(scale, name).toBe(wanted)
    }
  })
  it('refuses a model without numbered blocks', () => {
    const message = 'train.layerDecay: the model has no numbered blocks'
    expect(() => layerScales(['stem.weight', 'head.weight'], 0.5)).toThrow(
      expect.objectContaining({ code: 'option', message }),
    )
  })
})

describeOnBoth('layer decay', () => {
  it.each([
    ['adamw', adamw({ weightDecay: 0.5 })],
    ['lamb', lamb()],
    ['sgd', sgd({ weightDecay: 0.5 })],
  ])('scales what %s changes, decay and all', async (_, optimizer) => {
    const [whole, scaled] = [await moved(optimizer), await moved(optimizer, 0.5)]
    const scales = { 'stem.weight': 1 / 8, 'blocks.0.fc.weight': 1 / 4, 'blocks.1.fc.weight': 1 / 2, 'head.weight': 1 }
    for (const [name, scale] of Object.entries(scales)) {
      for (const [i, change] of (whole[name] ?? []).entries()) {
        expect(change).not.toBe(0)
        expect(scaled[name]?.[i]).toBeCloseTo(change * scale, 6)
      }
    }
  })
  it('of 1 changes nothing', async () => {
    expect(await moved(adamw(), 1)).toEqual(await moved(adamw()))
    const [plain] = [{ step: 0 }] as unknown as ReturnType<Parameters<typeof withLayerDecay>[0]>[]
    for (const decay of [1, undefined]) expect(withLayerDecay(() => plain as never, [], decay)).toBe(plain)
  })
})

describe('training with layer decay', () => {
  it('refuses a model without blocks before it starts, and leaves nothing behind', async () => {
    const model = toyModel(gmlp({ depth: 0 }))
    const recipe = resolveRecipe({ steps: 2, layerDecay: 0.5 })
    await expect(collect(train({ model, task: toyTask(), recipe, seed: 1 }))).rejects.toThrow('no numbered blocks')
    model.dispose()
  })
})
