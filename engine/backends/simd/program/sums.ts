import { util } from '@tensorflow/tfjs-core'
import type { Graph, Operation, Use } from '../../../compile/graph.ts'

/**
 * The graph with sums over the batch and other axes in two operations: of each example, which a stage does, then of the
 * batch. That is how the kernel adds, too; see kernels/reductions.ts.
 */
export function splitSums(graph: Graph): Graph {
  let { values, backward } = graph
  const operations: Operation[] = []
  for (const [i, operation] of graph.operations.entries()) {
    const x = operation.inputs.x as Use
    const out = operation.outputs[0] as Use
    const axes = operation.kernel === 'Sum' ? util.parseAxisParam(operation.attributes.axis as number[], x.shape) : []
    const others = axes.filter((axis) => axis !== 0)
    if (!axes.includes(0) || others.length === 0) {
      operations.push(operation)
      continue
    }
    const shape = x.shape.map((size, axis) => (others.includes(axis) ? 1 : size))
    const each: Use = { value: values++, shape, dtype: x.dtype }
    const attributes = { axis: others, keepDims: true }
    operations.push(
      { kernel: 'Sum', attributes, inputs: { x }, outputs: [each] },
      { kernel: 'Sum', attributes: { axis: [0], keepDims: true }, inputs: { x: each }, outputs: [out] },
    )
    if (i < graph.backward) backward++
  }
  return { ...graph, values, backward, operations }
}
