import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'

/** A value that no other operation has. */
export type Fresh = (shape: number[], dtype?: Use['dtype']) => Use

/** Operations in place of one, with values of their own. */
export type Rewrite = (operation: Operation, fresh: Fresh) => Operation[]

/** An operation with one output. */
export function made(
  kernel: string,
  inputs: Record<string, Use>,
  output: Use,
  attributes: Operation['attributes'] = {},
): Operation {
  return { kernel, attributes, inputs, outputs: [output] }
}

export function inputOf({ inputs }: Operation, name: string): Use {
  return inputs[name] as Use
}

export function outputOf({ outputs }: Operation, i = 0): Use {
  return outputs[i] as Use
}

/** The axes that a reduction adds up, or takes the largest of. */
export function axesOf({ attributes, inputs }: Operation): number[] {
  const rank = inputs.x?.shape.length ?? 0
  const given = (attributes.axis ?? attributes.reductionIndices) as number | number[] | null | undefined
  return given === null || given === undefined
    ? Array.from({ length: rank }, (_, axis) => axis)
    : [given].flat().map((axis) => (axis + rank) % rank)
}

/** Rows, columns and terms of a product, and how many products there are side by side. */
export interface ProductSizes {
  batch: number
  m: number
  n: number
  k: number
}

export function sizesOf(product: Operation): ProductSizes {
  const { shape } = outputOf(product)
  const [m, n] = shape.slice(-2) as [number, number]
  const a = inputOf(product, 'a').shape
  const k = (product.attributes.transposeA ? a.at(-2) : a.at(-1)) as number
  return { batch: sizeOf(outputOf(product)) / Math.max(1, m * n), m, n, k }
}
