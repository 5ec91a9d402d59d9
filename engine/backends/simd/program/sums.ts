import { util } from '@tensorflow/tfjs-core'
import { type Graph, type Operation, sizeOf, type Use } from '../../../compile/graph.ts'

/**
 * The graph with sums and means over the batch and other axes in two operations: sums of each example, which a stage does,
 * then of the batch. That is how the kernels add, too; see kernels/reductions.ts.
 */
export function splitSums(graph: Graph): Graph {
  let { values, backward } = graph
  const operations: Operation[] = []
  for (const [i, operation] of graph.operations.entries()) {
    const x = operation.inputs.x as Use
    const out = operation.outputs[0] as Use
    const axes = splits(operation) ? util.parseAxisParam(operation.attributes.axis as number[], x.shape) : []
    const others = axes.filter((axis) => axis !== 0)
    if (!axes.includes(0) || others.length === 0) {
      operations.push(operation)
      continue
    }
    const shape = x.shape.map((size, axis) => (others.includes(axis) ? 1 : size))
    const each: Use = { value: values++, shape, dtype: x.dtype }
    const count = sizeOf(x) / sizeOf(out) // what a mean is divided by
    const attributes = { axis: [0], keepDims: true, count }
    operations.push(
      { kernel: 'Sum', attributes: { axis: others, keepDims: true }, inputs: { x }, outputs: [each] },
      { kernel: operation.kernel, attributes, inputs: { x: each }, outputs: [out] },
    )
    if (i < graph.backward) backward++
  }
  return { ...graph, values, backward, operations }
}

/** One example has no sum of its own: its mean is divided in the same step. */
function splits({ kernel, inputs }: Operation): boolean {
  const x = inputs.x as Use
  return kernel === 'Sum' || (kernel === 'Mean' && x.dtype === 'float32' && (x.shape[0] ?? 1) > 1)
}
