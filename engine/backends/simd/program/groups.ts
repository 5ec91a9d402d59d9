import type { Graph, Operation, Use } from '../../../compile/graph.ts'
import { GROUPS, inGroups } from '../kernels/matmulGroups.ts'
import { splitConvolution } from './convolutions.ts'
import type { Cut } from './instruction.ts'
import { lower } from './lower.ts'

/**
 * The graph with weight gradients in two operations: sums over groups of chunks, which a stage adds to, or of each example,
 * then of those. That is how the kernels add, too; see kernels/matmulGroups.ts and kernels/conv/convDepthwise.ts.
 */
export function groupSums(graph: Graph, cut: Cut): Graph {
  let { values, backward } = graph
  const operations: Operation[] = []
  for (const [i, operation] of graph.operations.entries()) {
    const split = splitProduct(operation, values) ?? splitConvolution(operation, values)
    if (!split?.every((each) => each.kernel === 'Sum' || lower(each, cut))) {
      operations.push(operation)
      continue
    }
    values++
    operations.push(...split)
    if (i < graph.backward) backward++
  }
  return { ...graph, values, backward, operations }
}

function splitProduct(
  { kernel, attributes, inputs, outputs }: Operation,
  value: number,
): [Operation, Operation] | null {
  const [a, b, out] = [inputs.a, inputs.b, outputs[0]] as [Use, Use, Use]
  if (kernel !== 'BatchMatMul' || !attributes.transposeA || attributes.transposeB) return null
  const [k, m] = a.shape.slice(-2) as [number, number]
  const n = b.shape.at(-1) as number
  if (a.shape.slice(0, -2).some((size) => size > 1) || b.shape.slice(0, -2).some((size) => size > 1)) return null
  if (!inGroups(m, k, n, attributes.terms as number | undefined)) return null
  const sums: Use = { value, shape: [GROUPS, m, n], dtype: 'float32' }
  return [
    { kernel: 'GroupedProduct', attributes: {}, inputs: { a, b }, outputs: [sums] },
    { kernel: 'Sum', attributes: { axis: [0], keepDims: false }, inputs: { x: sums }, outputs: [out] },
  ]
}
