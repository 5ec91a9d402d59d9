import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { isBlock } from '../../../engine/nn/block.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { BUILTINS } from '../../../renderer/editor/builtins.ts'
import { tiny, tinyBatch, tinyModel } from './tiny.ts'

const silent = { debug() {}, log() {}, info() {}, warn() {}, error() {} }

describe('a built-in block, pasted into a cell', () => {
  const forked = tiny.filter(([, { parts }]) => parts === null) // the others are made of blocks
  it.each(forked)('behaves as the built-in: %s', async (_, block, modality) => {
    const builtin = BUILTINS.find(({ name }) => name === exportedName(block))
    const values = await evaluateAll(
      `// %% fork\n${builtin?.source}`,
      { mixlab: { ...mixlab }, '@tensorflow/tfjs': { ...tf } },
      { console: silent },
    )
    const copy = values.get(exportedName(block))?.value
    expect(isBlock(copy)).toBe(true)
    const { input, target } = tinyBatch(modality, 2)
    const logits = (of: Block) => {
      const model = tinyModel(of, modality)
      const result = tf.tidy(() => [...model.apply(input, { training: true, step: 0 }).dataSync()])
      const names = model.parameters.map(({ name }) => name)
      model.dispose()
      return { names, result }
    }
    const options = (copy as (options: object) => Block)(block.options)
    expect(logits(options)).toEqual(logits(block))
    tf.dispose([input, target])
  })
})

const exportedName = (block: Block) =>
  Object.entries(mixlab).find(([, value]) => value === (block.origin as unknown))?.[0] ?? ''
