import { type Graph, type Operation, sizeOf, type Use } from './graph.ts'

/** The same graph without products by 1 and without what no output needs. Values keep their bits. */
export function simplify(graph: Graph): Graph {
  return withoutUnused(withoutOnes(graph))
}

/** x times a constant of ones, where that does not change the shape, is x. */
function withoutOnes(graph: Graph): Graph {
  const ones = new Set(
    graph.constants
      .filter(({ use, values }) => use.dtype === 'float32' && (values as Float32Array).every((value) => value === 1))
      .map(({ use }) => use.value),
  )
  const same = new Map<number, number>()
  const follow = (use: Use): Use => ({ ...use, value: same.get(use.value) ?? use.value })

  const operations: Operation[] = []
  let { backward } = graph
  for (const [i, operation] of graph.operations.entries()) {
    const inputs = Object.fromEntries(Object.entries(operation.inputs).map(([name, use]) => [name, follow(use)]))
    const kept = operation.kernel === 'Multiply' ? factor(inputs, operation.outputs[0] as Use, ones) : null
    if (kept) {
      same.set(operation.outputs[0]?.value as number, kept.value)
      if (i < graph.backward) backward--
    } else operations.push({ ...operation, inputs })
  }
  const outputs = Object.fromEntries(Object.entries(graph.outputs).map(([name, use]) => [name, follow(use)]))
  return { ...graph, operations, outputs, backward }
}

/** The factor that is not of ones, if it alone has the size of the product. */
function factor({ a, b }: Record<string, Use>, product: Use, ones: Set<number>): Use | null {
  if (!a || !b) return null
  if (ones.has(b.value) && sizeOf(a) === sizeOf(product)) return a
  if (ones.has(a.value) && sizeOf(b) === sizeOf(product)) return b
  return null
}

/** The same graph without what no output needs. */
export function withoutUnused(graph: Graph): Graph {
  const used = new Set(Object.values(graph.outputs).map(({ value }) => value))
  const operations: Operation[] = []
  let { backward } = graph
  for (let i = graph.operations.length - 1; i >= 0; i--) {
    const operation = graph.operations[i] as Operation
    if (operation.outputs.some(({ value }) => used.has(value))) {
      for (const { value } of Object.values(operation.inputs)) used.add(value)
      operations.unshift(operation)
    } else if (i < graph.backward) backward--
  }
  const constants = graph.constants.filter(({ use }) => used.has(use.value))
  const draws = graph.draws.filter(({ use }) => used.has(use.value))
  return { ...graph, operations, constants, draws, backward }
}
