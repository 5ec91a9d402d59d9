import * as tf from '@tensorflow/tfjs'
import type { Diagram } from '../../../engine/diagram/diagram.ts'
import type { DiagramNode } from '../../../engine/diagram/node.ts'
import { diagramOf } from '../../../engine/diagram/record.ts'
import * as mixlab from '../../../engine/index.ts'
import { assemble } from '../../../engine/nn/frame.ts'
import type { Forward, InputSpec } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block, Modality } from '../../../engine/nn/types.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'

const silent = () => {}
const console = { debug: silent, log: silent, info: silent, warn: silent, error: silent }
const modules = { mixlab, '@tensorflow/tfjs': tf as unknown as Record<string, unknown> }
const OUTPUTS = 11

/** The code of a small model, and what it reads. */
export function codeOf(block: Block, modality: Modality = 'image', depth = 4): [Forward, InputSpec] {
  const size = resolveSize(block, { patch: 4, dim: 8, depth, ...block.options }, 'small')
  const shape = { image: [1, 16, 16, 3], text: [1, 12], features: [1, 10, 3] }[modality]
  const dtype = modality === 'text' ? 'int32' : 'float32'
  return [assemble(block, size, modality, { inputs: OUTPUTS, outputs: OUTPUTS }), { shape, dtype }]
}

export function drawn(name: string, block: Block, modality: Modality = 'image', depth = 4): Promise<Diagram> {
  return diagramOf(name, ...codeOf(block, modality, depth))
}

/** The block that a cell calls `mine`. */
export async function blockOfCell(body: string, options = '{}'): Promise<Block> {
  const text = `// %% cell
import * as tf from '@tensorflow/tfjs'
import { add, block, dense, einsum, gelu, layerNorm, mul, relu, residual, scan, spatialGating, split, tokenDense } from 'mixlab'
export const mine = block('mine', ${options}, (x, { dim, ffn, layer }) => {
${body}
})
`
  const defined = await evaluateAll(text, modules, { console })
  return defined.get('mine')?.value as Block
}

/** The line of a cell in which the body of its block begins. */
export const FIRST_LINE = 4

/** Names of what is inside a part, with how often each is there and its mark. */
export function outline({ children }: DiagramNode): string[] {
  return children.map(({ name, count, mark }) => `${mark ? `${mark} ` : ''}${name}${count > 1 ? ` x${count}` : ''}`)
}

/** A part by the names that lead to it. */
export function partAt(root: DiagramNode, ...names: string[]): DiagramNode {
  return names.reduce((at, name) => {
    const found = at.children.find((child) => child.name === name)
    if (!found) throw new Error(`no ${name} in ${outline(at)}`)
    return found
  }, root)
}
