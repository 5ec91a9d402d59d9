import type { Graph, Operation } from '../../../compile/graph.ts'
import type { Cut } from './instruction.ts'
import { lower } from './lower.ts'

/**
 * The graph with the gradients of a LayerNorm in two operations where chunks are rows: that by its input, row by row, then
 * those by weight and bias, whose sums go over all rows of an example.
 */
export function splitNorms(graph: Graph, cut: Cut): Graph {
  if (!cut.rows) return graph
  let { backward } = graph
  const operations: Operation[] = []
  for (const [i, operation] of graph.operations.entries()) {
    const { dy, value } = operation.inputs
    const [out, ...sums] = operation.outputs
    const slope = { ...operation, kernel: 'LayerNormSlope', outputs: out ? [out] : [] }
    if (operation.kernel !== 'LayerNormGrad' || !dy || !value || !lower(slope, cut)) {
      operations.push(operation)
      continue
    }
    operations.push(slope, { kernel: 'LayerNormSums', attributes: {}, inputs: { dy, value }, outputs: sums })
    if (i < graph.backward) backward++
  }
  return { ...graph, backward, operations }
}
