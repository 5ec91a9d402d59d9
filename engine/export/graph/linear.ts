import { needed } from './build.ts'
import type { Name } from './names.ts'
import { type Length, type Node, shapeText, type Value } from './types.ts'

/**
 * The nodes with dense layers as one node, `Linear`: x `[..., in]`, weight `[out, in]`, bias `[out]` where there is one.
 * They are recorded as a product of rows, with a reshape before and behind, and an addition.
 */
export function linear<Operation extends string>(
  nodes: Node<Operation>[],
  ...outputs: Value[]
): { nodes: Node<Operation>[]; outputs: Value[] } {
  const makers = new Map(nodes.map((node) => [node.output.name, node]))
  const readers = Map.groupBy(
    nodes.flatMap((node) => node.inputs.map(({ name }) => ({ name, node }))),
    ({ name }) => name,
  )
  const maker = (value: Value | undefined, operation: string) => {
    const found = value && makers.get(value.name)
    return found?.operation === operation ? found : null
  }
  const named = (operation: Name, inputs: Value[], output: Value): Node<Operation> => {
    return { operation: operation as string as Operation, inputs, output, attributes: {} }
  }
  const last = new Set(outputs.map(({ name }) => name))
  const only = (value: Value) => !last.has(value.name) && readers.get(value.name)?.length === 1

  /** The dense layer without bias that ends in this node, and in front of it what gives its input its rows back. */
  function product(end: Node<Operation>): Node<Operation>[] | null {
    const whole = end.operation === 'Reshape' ? maker(end.inputs[0], 'MatMul') : end
    if (whole?.operation !== 'MatMul' || whole.attributes.transposeA) return null
    if (whole !== end && !only(whole.output)) return null
    if (whole.output.shape[1] !== end.output.shape.at(-1)) return null // the reshape joins tokens and channels
    const [rows, matrix] = whole.inputs as [Value, Value]
    const weight = whole.attributes.transposeB ? matrix : maker(matrix, 'Transpose')?.inputs[0]
    if (rows.shape.length !== 2 || weight?.shape.length !== 2) return null
    const before = maker(rows, 'Reshape')?.inputs[0] ?? rows
    const layer = (x: Value) => named('Linear', [x, weight], end.output)
    if (sameRows(before, end.output)) return [layer(before)]
    if (sameRows(rows, end.output)) return [layer(rows)]
    const x = { ...rows, name: `${end.output.name}_x`, shape: end.output.shape.with(-1, rows.shape[1] as Length) }
    return [named('Reshape', [before], x), layer(x)]
  }

  const instead = new Map<string, Node<Operation>[]>()
  for (const node of nodes) {
    const own = product(node)
    if (own) instead.set(node.output.name, own)
    const [a, b] = node.inputs as [Value, Value]
    const found = node.operation === 'Add' && only(a) ? instead.get(a.name) : undefined
    const layer = found?.at(-1)
    const units = layer?.inputs[1]?.shape[0]
    if (layer?.inputs.length === 2 && b.shape.length === 1 && b.shape[0] === units && !makers.has(b.name)) {
      const whole = { ...layer, inputs: [...layer.inputs, b], output: node.output }
      instead.set(node.output.name, [...(found ?? []).slice(0, -1), whole])
    }
  }
  const replaced = nodes.flatMap((node) => instead.get(node.output.name) ?? [node])
  return numbered(needed(replaced, ...outputs), outputs)
}

/** Whether all axes but the last have the same lengths. */
function sameRows(a: Value, b: Value): boolean {
  return shapeText(a.shape.slice(0, -1)) === shapeText(b.shape.slice(0, -1))
}

/** The nodes with what they give named by their order. */
function numbered<Operation extends string>(
  nodes: Node<Operation>[],
  outputs: Value[],
): { nodes: Node<Operation>[]; outputs: Value[] } {
  const names = new Map(nodes.map((node, i) => [node.output.name, `v${i}`]))
  const named = (value: Value): Value => ({ ...value, name: names.get(value.name) ?? value.name })
  return {
    nodes: nodes.map((node) => ({ ...node, inputs: node.inputs.map(named), output: named(node.output) })),
    outputs: outputs.map(named),
  }
}
