import type { Graph, Operation, Use } from '../../../compile/graph.ts'
import type { Cut } from './instruction.ts'
import { lower } from './lower.ts'

/**
 * The graph with a backward pass that takes GELU and its slope from one pass over x, where it computes both chunk by
 * chunk: the gradient is a product then.
 */
export function shareSlopes(graph: Graph, cut: Cut): Graph {
  let { values } = graph
  const slopes = new Map<number, Use>() // by x
  const wanted = new Set(
    graph.operations.flatMap(({ kernel, inputs }) => (kernel === 'GeluGrad' ? [(inputs.x as Use).value] : [])),
  )
  const operations = graph.operations.map((operation, i): Operation => {
    const { kernel, inputs, outputs } = operation
    const x = inputs.x as Use
    if (kernel === 'Gelu' && i >= graph.backward && wanted.has(x.value)) {
      const slope: Use = { ...x, value: values }
      const both = { ...operation, kernel: 'GeluSlope', outputs: [...outputs, slope] }
      if (!lower(both, cut)) return operation
      values++
      slopes.set(x.value, slope)
      return both
    }
    const slope = kernel === 'GeluGrad' ? slopes.get(x.value) : undefined
    if (!slope) return operation
    const dy = inputs.dy as Use
    return { ...operation, kernel: 'Multiply', inputs: { a: dy, b: { ...slope, shape: dy.shape } } }
  })
  return { ...graph, values, operations }
}
