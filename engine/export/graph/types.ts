import type { NamedTensor } from '../../weights/safetensors.ts'
import type { Name } from './names.ts'

/** A length of an axis: a number, or so many times the number of examples. */
export type Length = number | { examples: number }

export interface Value {
  /** A parameter's own name, `input`, `types`, `mask`, `logits`, else a number behind a letter. */
  name: string
  shape: Length[]
  dtype: 'float32' | 'int32' | 'bool'
}

/** An attribute of an operation; axes count from 0. */
export type Attribute = number | boolean | string | readonly number[] | readonly Length[]

export interface Node<Operation extends string = Name> {
  operation: Operation
  inputs: Value[]
  output: Value
  attributes: Record<string, Attribute>
}

/** A table that the code of the model brings along, such as the places of a gather. */
export interface ConstantTensor extends Value {
  shape: number[]
  values: Float32Array | Int32Array | Uint8Array
}

/** Whether a tensor is called as constants are, which the file beside a PyTorch module has among the parameters. */
export const isConstantName = (name: string) => /^constants\.\d+$/.test(name)

/** A model for inference, as plain data: what every format is written from. Nodes are in an order in which they can run. */
export interface ExportGraph {
  inputs: Value[]
  /** Parameters under the names and in the layouts of files. */
  weights: NamedTensor[]
  constants: ConstantTensor[]
  nodes: Node[]
  output: Value
}

export const isDynamic = (length: Length | undefined): length is { examples: number } => typeof length === 'object'

/** A shape with -1 where the length follows from the number of examples. */
export function openShape(shape: readonly Length[]): number[] {
  return shape.map((length) => (isDynamic(length) ? -1 : length))
}

/** As people write it: `[examples, 16, 8]`. */
export function shapeText(shape: readonly Length[]): string {
  const text = (length: Length) =>
    isDynamic(length) ? `${length.examples > 1 ? `${length.examples} x ` : ''}examples` : length
  return `[${shape.map(text).join(', ')}]`
}
