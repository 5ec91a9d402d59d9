import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import type { Built } from '../../../engine/conformance/builders.ts'
import { type Case, readCase } from '../../../engine/conformance/case.ts'
import * as mixlab from '../../../engine/index.ts'
import { type BlockWith, isBlock } from '../../../engine/nn/block.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'

const root = resolve(import.meta.dirname, '../../..')
const notebooks = globSync('experiments/gallery-*.ts', { cwd: root })
export const textOf = (notebook: string) => readFileSync(join(root, notebook), 'utf8')

/** An idea of the gallery: a block as its notebook exports it. */
export interface Idea {
  name: string
  notebook: string
  block: BlockWith<object>
}

/** All ideas, from the cells of the notebooks of the gallery. */
export const ideas: Idea[] = []
for (const notebook of notebooks) {
  const definitions = await evaluateAll(textOf(notebook), { mixlab, '@tensorflow/tfjs': tf }, { console })
  for (const [name, { value }] of definitions) {
    if (isBlock(value)) ideas.push({ name, notebook, block: value as BlockWith<object> })
  }
}

/** The reference case of an idea, from PyTorch: see tests/golden/ideas/make.py. */
export function caseOf(name: string): Case {
  const file = `tests/golden/ideas/${name}.safetensors`
  return readCase(readFileSync(join(root, file)), file)
}

/** The model of a case, with the block of an idea. */
export function builtOf({ block }: Idea, { config }: Case): Built {
  const own = Object.keys(block.defaults).map((option) => [option, config.number(option)])
  const size = { dim: config.number('dim'), ffn: config.number('ffn'), depth: config.number('depth') }
  const patch = config.sides('patch_size')
  return {
    block: block({ ...size, patch, ...Object.fromEntries(own) }),
    modality: 'image',
    outputs: config.number('num_classes'),
  }
}
