import { needed } from '../../graph/build.ts'
import type { TrainingName } from '../../graph/names.ts'
import type { Length, Node, Value } from '../../graph/types.ts'
import type { TorchName, TorchNode } from './printers.ts'

/**
 * Nodes in the words of PyTorch: patches cut out and multiplied as a convolution, a convolution with its bias, a product with
 * ones as `expand`, and matrices over tokens as dense layers. `isTensor` says which values are parameters.
 */
export function rewritten(
  nodes: Node<TrainingName>[],
  outputs: Value[],
  isTensor: (name: string) => boolean,
): TorchNode[] {
  const found: TorchNode[] = []
  const makers = new Map<string, TorchNode>()
  const uses = new Map<string, number>()
  for (const { name } of [...nodes.flatMap(({ inputs }) => inputs), ...outputs])
    uses.set(name, (uses.get(name) ?? 0) + 1)
  for (const node of nodes) {
    for (const made of inTorch(node, makers, isTensor, uses)) {
      found.push(made)
      makers.set(made.output.name, made)
    }
  }
  return needed<TorchName>(found, ...outputs)
}

function inTorch(
  node: TorchNode,
  makers: Map<string, TorchNode>,
  isTensor: (name: string) => boolean,
  uses: Map<string, number>,
): TorchNode[] {
  const maker = (value: Value | undefined, operation: TorchName) => {
    const made = value && makers.get(value.name)
    return made?.operation === operation ? made : null
  }
  const [a, b] = node.inputs as [Value, Value]
  if (node.operation === 'Multiply') {
    for (const [x, ones] of [
      [a, b],
      [b, a],
    ] as const) {
      const fill = maker(ones, 'Fill')
      if (fill?.attributes.value === 1 && x.dtype === node.output.dtype && x.shape.length === ones.shape.length) {
        return [{ ...node, operation: 'Expand', inputs: [x, fill.inputs[0] as Value] }]
      }
    }
  }
  if (node.operation === 'MatMul') {
    const matrix = maker(a, 'Reshape')?.inputs[0]
    const isOfTokens = matrix && isTensor(matrix.name) && matrix.shape.length === 2 && a.shape[0] === 1
    const { transposeA, transposeB } = node.attributes
    if (isOfTokens && b.shape.length === 3 && !transposeA && !transposeB) return overTokens(node, [b, matrix])
  }
  if (node.operation === 'Add') {
    const back = uses.get(a.name) === 1 ? maker(a, 'Transpose') : null
    const layer = maker(back?.inputs[0], 'Linear')
    const bias = maker(b, 'Reshape')?.inputs[0]
    const [units, one] = b.shape
    if (layer?.inputs.length === 2 && bias && isTensor(bias.name) && bias.shape.length === 1 && one === 1) {
      const [turned, matrix] = layer.inputs as [Value, Value]
      const x = maker(turned, 'Transpose')?.inputs[0]
      if (x && layer.output.name.endsWith(TURNED) && units === matrix.shape[0])
        return overTokens(node, [x, matrix, bias])
    }
  }
  if (node.operation !== 'Add' || !isTensor(b.name) || b.shape.length !== 1) return [node]
  const convolution = maker(a, 'Conv2D')
  if (convolution?.inputs.length === 2 && uses.get(a.name) === 1) {
    return [{ ...convolution, inputs: [...convolution.inputs, b], output: node.output }]
  }
  return patches(node, maker) ?? [node]
}

/** Ends of the names of values with tokens along the last axis. */
const TURNED = '_turned'

/** A matrix over tokens as a dense layer, around which tokens and channels change places. */
function overTokens({ output }: TorchNode, [x, ...parameters]: [Value, ...Value[]]): TorchNode[] {
  const turn = (from: Value, to: Value): TorchNode => {
    return { operation: 'Transpose', inputs: [from], output: to, attributes: { perm: [0, 2, 1] } }
  }
  const turned = (value: Value, name: string): Value => {
    const [examples, tokens, channels] = value.shape as [Length, Length, Length]
    return { ...value, name, shape: [examples, channels, tokens] }
  }
  const [before, after] = [turned(x, `${output.name}_x`), turned(output, output.name + TURNED)]
  return [
    turn(x, before),
    { operation: 'Linear', inputs: [before, ...parameters], output: after, attributes: {} },
    turn(after, output),
  ]
}

/** Patches by a matrix of the values of one, as a convolution; see nn/layers/patchEmbed.ts. */
function patches(
  node: TorchNode,
  maker: (value: Value | undefined, operation: TorchName) => TorchNode | null,
): TorchNode[] | null {
  const product = maker(maker(node.inputs[0], 'Reshape')?.inputs[0], 'MatMul')
  const turnedRows = maker(product?.inputs[0], 'Reshape')
  const turned = maker(turnedRows?.inputs[0], 'Transpose')
  const grid = maker(turned?.inputs[0], 'Reshape')
  const kernel = maker(maker(product?.inputs[1], 'Reshape')?.inputs[0], 'Transpose')
  const images = grid?.inputs[0]
  const weight = kernel?.inputs[0]
  if (!product || !grid || !images || weight?.shape.length !== 4 || images.shape.length !== 4) return null
  if (product.attributes.transposeA || product.attributes.transposeB) return null
  if (String(turned?.attributes.perm) !== '0,1,3,2,4,5' || String(kernel?.attributes.perm) !== '2,3,1,0') return null
  const [, rows, high, columns, wide, channels] = grid.output.shape as number[]
  const [units, inputs, kernelHigh, kernelWide] = weight.shape as number[]
  if (high !== kernelHigh || wide !== kernelWide || channels !== inputs) return null
  const [examples] = images.shape
  const shape = [examples as number, rows as number, columns as number, units as number]
  const tokens = [examples as number, (rows as number) * (columns as number), units as number]
  if (String(node.output.shape.slice(1)) !== String(tokens.slice(1))) return null
  const output: Value = { ...node.output, name: `${node.output.name}_grid`, shape }
  const attributes = { strides: [high as number, wide as number], dilations: [1, 1], pad: [0, 0, 0, 0], groups: 1 }
  return [
    { operation: 'Conv2D', inputs: [images, weight, node.inputs[1] as Value], output, attributes },
    { operation: 'Reshape', inputs: [output], output: node.output, attributes: {} },
  ]
}
