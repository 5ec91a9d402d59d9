import { type Graph, type Operation, sizeOf, type Use } from './graph.ts'

/** Operations that take less time than it takes to keep their results in memory and read them again. */
const CHEAP = new Set([
  ...['Add', 'Sub', 'Multiply', 'RealDiv', 'Maximum', 'Minimum', 'SquaredDifference'],
  ...['Neg', 'Square', 'Sqrt', 'Rsqrt', 'Exp', 'Tanh', 'Sigmoid', 'Relu', 'Abs', 'Reciprocal', 'Step'],
  ...['Gelu', 'GeluGrad', 'GeluTanh', 'GeluTanhGrad', 'LayerNorm', 'Softmax'],
  ...['SplitV', 'Slice', 'Concat', 'PadV2', 'Tile', 'Transpose', 'Cast', 'OneHot'],
])

/**
 * The graph with a backward pass that computes cheap values again instead of keeping them, where that needs nothing
 * more to be kept: of a GELU its input is kept anyway, of a LayerNorm its normalised rows. Values keep their bits.
 */
export function recompute(graph: Graph): Graph {
  const forward = graph.operations.slice(0, graph.backward)
  const backward = graph.operations.slice(graph.backward)
  const makers = new Map<number, Operation>()
  for (const operation of forward) for (const { value } of operation.outputs) makers.set(value, operation)

  const needed = new Set<number>()
  const need = (uses: Iterable<Use>) => {
    for (const { value } of uses) if (makers.has(value)) needed.add(value)
  }
  for (const operation of backward) need(Object.values(operation.inputs))

  const again = new Set<Operation>()
  for (const operation of forward.toReversed()) {
    const wanted = operation.outputs.filter(({ value }) => needed.has(value))
    if (wanted.length === 0 || !CHEAP.has(operation.kernel)) continue
    const inputs = Object.values(operation.inputs)
    if (costOf(inputs, makers, needed) < wanted.reduce((sum, use) => sum + sizeOf(use), 0)) {
      again.add(operation)
      need(inputs)
    }
  }
  return { ...graph, ...repeated(graph, again) }
}

/** How many elements more have to be kept, so that all of `uses` can be had backward. */
function costOf(uses: Use[], makers: Map<number, Operation>, needed: Set<number>, depth = 0): number {
  return uses.reduce((sum, use) => {
    const maker = makers.get(use.value)
    if (!maker || needed.has(use.value)) return sum
    const deeper = CHEAP.has(maker.kernel) && depth < 6
    const cost = deeper ? costOf(Object.values(maker.inputs), makers, needed, depth + 1) : Number.POSITIVE_INFINITY
    return sum + Math.min(sizeOf(use), cost)
  }, 0)
}

/** The operations with those of `again` once more, each right before the backward operation that first needs it. */
function repeated(graph: Graph, again: Set<Operation>): Pick<Graph, 'operations' | 'values'> {
  let { values } = graph
  const copies = new Map<number, number>()
  const makers = new Map<number, Operation>()
  for (const operation of again) for (const { value } of operation.outputs) makers.set(value, operation)

  const operations = graph.operations.slice(0, graph.backward)
  const add = (operation: Operation) => {
    for (const { value } of Object.values(operation.inputs)) {
      const maker = makers.get(value)
      if (!maker || copies.has(value)) continue
      for (const output of maker.outputs) copies.set(output.value, values++)
      add({ ...maker, outputs: maker.outputs.map(copied) })
    }
    const inputs = Object.entries(operation.inputs).map(([name, use]) => [name, copied(use)])
    operations.push({ ...operation, inputs: Object.fromEntries(inputs) })
  }
  const copied = (use: Use): Use => ({ ...use, value: copies.get(use.value) ?? use.value })
  for (const operation of graph.operations.slice(graph.backward)) add(operation)
  return { operations, values }
}
