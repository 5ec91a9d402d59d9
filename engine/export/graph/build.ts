import type { Name } from './names.ts'
import { type Attribute, type Length, type Node, shapeText, type Value } from './types.ts'

/** Makes nodes; what was made before of the same is the same value. */
export interface Build {
  nodes: Node[]
  node(
    operation: Name,
    inputs: Value[],
    shape: Length[],
    attributes?: Record<string, Attribute>,
    dtype?: Value['dtype'],
  ): Value
  /** The same value where it has this shape. */
  reshape(value: Value, shape: Length[]): Value
  /** The node of this operation that makes a value, if one does. */
  maker(value: Value | undefined, operation: Name): Node | null
  /** Undoes a transposition rather than adding one. */
  transpose(value: Value, perm: number[]): Value
}

/** A list of nodes that grows. */
export function buildNodes(): Build {
  const nodes: Node[] = []
  const known = new Map<string, Value>()
  const makerOf = new Map<string, Node>()

  const node: Build['node'] = (operation, inputs, shape, attributes = {}, dtype = inputs[0]?.dtype ?? 'float32') => {
    const key = JSON.stringify([operation, inputs.map(({ name }) => name), shape, attributes, dtype])
    const before = known.get(key)
    if (before) return before
    const output: Value = { name: `v${nodes.length}`, shape, dtype }
    const made = { operation, inputs, output, attributes }
    nodes.push(made)
    known.set(key, output)
    makerOf.set(output.name, made)
    return output
  }

  const reshape: Build['reshape'] = (value, shape) => {
    if (shapeText(value.shape) === shapeText(shape)) return value
    const maker = makerOf.get(value.name)
    const from = maker?.operation === 'Reshape' ? (maker.inputs[0] as Value) : value
    return from === value ? node('Reshape', [value], shape) : reshape(from, shape)
  }

  const transpose: Build['transpose'] = (value, perm) => {
    const maker = makerOf.get(value.name)
    const before = maker?.operation === 'Transpose' ? (maker.attributes.perm as number[]) : null
    if (before && maker && perm.every((axis, i) => before[axis] === i)) return maker.inputs[0] as Value
    return node(
      'Transpose',
      [value],
      perm.map((axis) => value.shape[axis] as Length),
      { perm },
    )
  }

  const maker: Build['maker'] = (value, operation) => {
    const found = value && makerOf.get(value.name)
    return found?.operation === operation ? found : null
  }

  return { nodes, node, reshape, transpose, maker }
}

/** The nodes that some values need, each value made once. */
export function needed<Operation extends string>(nodes: Node<Operation>[], ...outputs: Value[]): Node<Operation>[] {
  const wanted = new Set(outputs.map(({ name }) => name))
  const kept: Node<Operation>[] = []
  for (const node of nodes.toReversed()) {
    if (!wanted.delete(node.output.name)) continue
    for (const { name } of node.inputs) wanted.add(name)
    kept.unshift(node)
  }
  return kept
}
