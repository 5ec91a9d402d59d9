import { needed } from './build.ts'
import { type Node, shapeText, type Value } from './types.ts'

/**
 * The nodes with dense layers as one node, `Linear`: x `[..., in]`, weight `[out, in]`, bias `[out]` where there is one.
 * They are recorded as a product of rows, with a reshape before and behind, and an addition.
 */
export function linear(nodes: Node[], output: Value): { nodes: Node[]; output: Value } {
  const makers = new Map(nodes.map((node) => [node.output.name, node]))
  const readers = Map.groupBy(
    nodes.flatMap((node) => node.inputs.map(({ name }) => ({ name, node }))),
    ({ name }) => name,
  )
  const maker = (value: Value | undefined, operation: string) => {
    const found = value && makers.get(value.name)
    return found?.operation === operation ? found : null
  }
  const only = (value: Value) => value.name !== output.name && readers.get(value.name)?.length === 1

  /** The dense layer without bias that ends in this node. */
  function product(end: Node): Node | null {
    const whole = end.operation === 'Reshape' ? maker(end.inputs[0], 'MatMul') : end
    if (whole?.operation !== 'MatMul' || whole.attributes.transposeA) return null
    if (whole !== end && !only(whole.output)) return null
    const [rows, matrix] = whole.inputs as [Value, Value]
    if (rows.shape.length !== 2 || matrix.shape.length !== 2) return null
    const turned = whole.attributes.transposeB ? matrix : maker(matrix, 'Transpose')?.inputs[0]
    const before = maker(rows, 'Reshape')?.inputs[0] ?? rows
    const x = sameRows(before, end.output) ? before : rows
    if (turned?.shape.length !== 2 || !sameRows(x, end.output)) return null
    return { operation: 'Linear', inputs: [x, turned], output: end.output, attributes: {} }
  }

  const instead = new Map<string, Node>()
  for (const node of nodes) {
    const own = product(node)
    if (own) instead.set(node.output.name, own)
    const [a, b] = node.inputs as [Value, Value]
    const layer = node.operation === 'Add' && only(a) ? instead.get(a.name) : undefined
    const units = layer?.inputs[1]?.shape[0]
    if (layer?.inputs.length === 2 && b.shape.length === 1 && b.shape[0] === units && !makers.has(b.name)) {
      instead.set(node.output.name, { ...layer, inputs: [...layer.inputs, b], output: node.output })
    }
  }
  const replaced = nodes.map((node) => instead.get(node.output.name) ?? node)
  return { nodes: needed(replaced, output), output }
}

/** Whether all axes but the last have the same lengths. */
function sameRows(a: Value, b: Value): boolean {
  return shapeText(a.shape.slice(0, -1)) === shapeText(b.shape.slice(0, -1))
}
