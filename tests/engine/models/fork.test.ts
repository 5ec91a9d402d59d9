import { readdirSync, readFileSync } from 'node:fs'
import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../../engine/index.ts'
import { type Block, isBlock } from '../../../engine/nn/block.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { tiny, tinyBatch, tinyModel } from './tiny.ts'

const folder = new URL('../../../engine/models/', import.meta.url)
const silent = { debug() {}, log() {}, info() {}, warn() {}, error() {} }

/** The source of a built-in block as a cell: the same text, its imports from 'mixlab'. */
function forked(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
    .replace(/from '\.\.?\/[^']*'/g, "from 'mixlab'")
    .replace("from '@tensorflow/tfjs-core'", "from '@tensorflow/tfjs'")
}

describe('a built-in block, pasted into a cell', () => {
  it.each(tiny)('behaves as the built-in: %s', async (_, block, modality) => {
    const file = readdirSync(folder).find((name) => mixlabName(name) === exportedName(block))
    const values = await evaluateAll(
      `// %% fork\n${forked(file ?? '')}`,
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

const mixlabName = (file: string) => file.replace(/\.ts$/, '')
const exportedName = (block: Block) =>
  Object.entries(mixlab).find(([, value]) => value === (block.origin as unknown))?.[0] ?? ''
