import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import type { Built } from '../../../engine/conformance/builders.ts'
import { type Case, readCase } from '../../../engine/conformance/case.ts'
import * as mixlab from '../../../engine/index.ts'
import type { BlockWith } from '../../../engine/nn/block.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import { studiesIn } from '../../../engine/study/studies.ts'

const root = resolve(import.meta.dirname, '../../..')
const notebooks = globSync('experiments/gallery-*.ts', { cwd: root })
export const textOf = (notebook: string) => readFileSync(join(root, notebook), 'utf8')

/** An idea of the gallery: a variant of the study of its notebook, where it stands beside gMLP. */
export interface Idea {
  name: string
  notebook: string
  block: BlockWith<object>
}

/** All ideas, from the cells of the notebooks of the gallery. */
export const ideas: Idea[] = []
for (const notebook of notebooks) {
  const definitions = await evaluateAll(textOf(notebook), { mixlab, '@tensorflow/tfjs': tf }, { console })
  for (const { variants } of studiesIn([...definitions.values()].map(({ value }) => value)).map(({ spec }) => spec)) {
    for (const [name, block] of Object.entries(variants)) {
      if (block !== mixlab.gmlp) ideas.push({ name, notebook, block: block as BlockWith<object> })
    }
  }
}

/** The block of an idea at a size for 8 x 8 images. */
export const small = ({ block }: Idea) => block({ patch: 2, dim: 12, ffnRatio: 2 })

/** The reference case of an idea, from PyTorch: see tests/golden/ideas/make.py. */
export function caseOf(name: string): Case {
  const file = `tests/golden/ideas/${name}.safetensors`
  return readCase(readFileSync(join(root, file)), file)
}

/** The model of a case, with the block of an idea; what the configuration has beside the data are options of it. */
export function builtOf({ block }: Idea, { config, metadata }: Case): Built {
  const ofData = ['patch_size', 'image_size', 'in_chans', 'num_classes']
  const own = Object.keys(JSON.parse(metadata.config ?? '{}')).filter((option) => !ofData.includes(option))
  const options = Object.fromEntries(own.map((option) => [option, config.number(option)]))
  return {
    block: block({ ...options, patch: config.sides('patch_size') }),
    modality: 'image',
    outputs: config.number('num_classes'),
  }
}
