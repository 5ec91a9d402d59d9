import * as tf from '@tensorflow/tfjs-core'
import { describe, expect, it } from 'vitest'
import { foldedForm } from '../../../engine/export/fold.ts'
import { gmlp, repmlp, repmlpNet, resmlp } from '../../../engine/models/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import { fileShape, toFile } from '../../../engine/nn/layout.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { resolveSize, type SizeOfParts } from '../../../engine/nn/size.ts'
import { stack, stages } from '../../../engine/nn/stack.ts'
import type { Block, Size } from '../../../engine/nn/types.ts'
import type { RecordedSpec } from '../../../engine/study/recreate/recorded.ts'
import { loadTensors } from '../../../engine/weights/model.ts'

const model = { patch: 2, dim: 12, depth: 1 } as const
const made = (block: Block, size: Size = resolveSize(block, model, 'study')): Model =>
  createModel(assemble(block, size, 'image', { outputs: 5 }), { shape: [1, 12, 12, 3] }, 1)
const says = (block: Block) => () => made(block).dispose()

describe('a RepMLP that cannot be', () => {
  it.each<[string, () => Block, string]>([
    ['partition', () => repmlp({ partition: 4 }), 'windows: 6 x 6 tokens do not divide into 4 x 4'],
    ['no partition', () => repmlp({ partition: 0 }), 'windows: 6 x 6 tokens do not divide into 0 x 0'],
    ['share sets', () => repmlp({ shareSets: 5 }), 'tokenDense: 12 channels do not divide into 5 share sets'],
    ['even kernel', () => repmlp({ reparam: [2] }), 'a kernel of 2 x 2 for share sets, expected odd sides'],
    ['kernel twice', () => repmlp({ reparam: [3, 3] }), 'stages.0.0.repmlp_block.repconv3: name used twice'],
    ['too few sets', () => repmlpNet({ shareSets: [1] }), 'study: has no shareSets for stage 1 of 2'],
    ['too few blocks', () => repmlpNet({ blocks: [1] }), 'study: has no depth for stage 1 of 2'],
    ['too many partitions', () => repmlpNet({ partition: [3, 3, 3] }), 'study: has no depth for stage 2 of 3'],
    ['no stages', () => repmlpNet({ channels: [], blocks: [], partition: [], shareSets: [] }), 'study: has no stages'],
    ['no blocks', () => repmlpNet({ blocks: [1, 0] }), 'study: depth 0 of stage 1, expected a whole number'],
    ['depth beside stages', () => repmlpNet({ depth: 3 }), 'study.depth: 3, but its stages say 4'],
    ['width beside stages', () => repmlpNet({ dim: 3 }), 'study.dim: 3, but its stages say 32'],
    ['part of a stack', () => stack('s', [repmlpNet, gmlp]), "stack 's': 'repmlp_net' is made of stages"],
  ])('is told in one sentence: %s', (_, block, sentence) => {
    expect(() => says(block())()).toThrow(sentence)
  })
})

describe('repmlpNet', () => {
  it('has the names and shapes of its authors, and their initial values', () => {
    const net = made(
      repmlpNet({ channels: [8, 12, 6], blocks: [2, 1, 1], partition: [[2, 3], 3, 'map'], shareSets: [2, 4, 6] }),
    )
    const shapes = Object.fromEntries(net.parameters.map(({ name, shape, layout }) => [name, fileShape(shape, layout)]))
    const block = 'stages.0.1.repmlp_block'
    expect(shapes).toMatchObject({
      'conv_embedding.conv.weight': [8, 3, 2, 2],
      [`${block}.fc3.weight`]: [12, 6, 1, 1],
      [`${block}.fc3_bn.running_var`]: [2],
      [`${block}.repconv3.conv.weight`]: [2, 1, 3, 3],
      [`${block}.gp.fc1.weight`]: [2, 8, 1, 1],
      'embeds.1.conv.weight': [6, 12, 2, 2],
      'stages.1.0.ffn_block.ffn_fc1.conv.weight': [48, 12, 1, 1],
      'stages.2.0.repmlp_block.fc3.weight': [6, 1, 1, 1],
      'head.weight': [5, 6],
    })
    for (const [name, bound] of [
      [`${block}.fc3.weight`, 6],
      [`${block}.repconv3.conv.weight`, 9],
      ['embeds.0.conv.weight', 32],
      [`${block}.gp.fc2.bias`, 2],
    ] as const) {
      const values = net.parameters.find((each) => each.name === name)?.variable.dataSync() ?? [9]
      const most = Math.max(...values.map(Math.abs))
      expect(most * Math.sqrt(bound), name).toBeLessThanOrEqual(1)
      expect(most * Math.sqrt(bound), name).toBeGreaterThan(0.5)
    }
    net.dispose()
  })
  it('has a map with an odd side halved as its authors have it, the last row left out', () => {
    const net = made(repmlpNet({ patch: 4, channels: [4, 4], blocks: [1, 1], shareSets: [1, 1] })) // 3 x 3, then 1 x 1
    expect(net.parameters.find(({ name }) => name === 'stages.1.0.repmlp_block.fc3.weight')?.shape).toEqual([1, 1])
    net.dispose()
  })
})

describe('a folded RepMLP', () => {
  const pyramid = stages('mine', [
    { block: repmlp({ partition: 3, reparam: [] }), depth: 1, dim: 8 },
    { block: gmlp, depth: 1, dim: 8, merge: 1 },
    { block: repmlp({ partition: 3, shareSets: 2, reparam: [3, 5] }), depth: 2, dim: 12, merge: [2, 1] },
  ])
  it.each<[string, Block]>([
    ['one block', repmlp({ partition: [2, 3], shareSets: 3 })],
    [
      'three stages',
      repmlpNet({ channels: [4, 8, 6], blocks: [1, 2, 1], partition: [3, 3, 'map'], shareSets: [1, 4, 6] }),
    ],
    ['one kernel', repmlpNet({ channels: [4, 8], blocks: [1, 1], reparam: [3] })],
    ['no kernel', repmlpNet({ channels: [4, 8], blocks: [1, 1], reparam: [] })],
    ['stages of a cell', pyramid],
  ])('says what it said before: %s', (_, block) => {
    const size = resolveSize(block, model, 'study')
    const parts = (size as SizeOfParts).parts && [{ block: 'repmlp' }, { block: 'gmlp' }, { block: 'repmlp' }]
    const spec = { model: { block: block.blockName, parts }, task: { task: 'image' } } as unknown as RecordedSpec
    const form = foldedForm(spec, block, size, 'run 1')
    const [trained, folded] = [made(block, size), made(form.block, form.size)]
    tf.tidy(() => {
      const x = (seed: number) => tf.randomNormal([6, 12, 12, 3], 0.3, 2, 'float32', seed)
      for (let step = 1; step < 8; step++) trained.apply(x(step), { training: true, step }) // moves the statistics
      const tensors = trained.parameters.map(({ name, shape, layout, variable }) => ({
        name,
        shape: fileShape(shape, layout),
        values: toFile(variable.dataSync() as Float32Array, shape, layout),
      }))
      loadTensors(folded.parameters, form.tensors(tensors, trained.parameters), 'folded')
      const [before, after] = [trained.apply(x(99)), folded.apply(x(99))]
      expect(tf.max(tf.abs(tf.sub(before, after))).dataSync()[0]).toBeLessThan(1e-5)
    })
    expect(folded.size).toBeLessThanOrEqual(trained.size + 400)
    trained.dispose()
    folded.dispose()
  })
  it('is refused of another model, and of one that is folded already', () => {
    const fold = (block: Block, options: object = {}) => {
      const spec = { model: { block: block.blockName, ...options }, task: { task: 'image' } } as unknown as RecordedSpec
      return () => foldedForm(spec, block, resolveSize(block, model, 'study'), 'run 3')
    }
    const sentence =
      '--fold: run 3 is no ResMLP for images, has no RepMLP blocks that are not folded yet, and no option locality'
    expect(fold(gmlp)).toThrow(sentence)
    expect(fold(repmlp({ folded: true }), { folded: true })).toThrow(sentence)
    expect(fold(resmlp)).not.toThrow()
  })
})
