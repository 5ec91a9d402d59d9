import { type Graph, type Operation, sizeOf, type Use } from './graph.ts'

/** Operations that take less time than it takes to keep their results in memory and read them again. */
const CHEAP = new Set([
  ...['Add', 'Sub', 'Multiply', 'RealDiv', 'Maximum', 'Minimum', 'SquaredDifference'],
  ...['Neg', 'Square', 'Sqrt', 'Rsqrt', 'Exp', 'Tanh', 'Sigmoid', 'Relu', 'Abs', 'Reciprocal', 'Step'],
  ...['Gelu', 'GeluGrad', 'GeluTanh', 'GeluTanhGrad', 'LayerNorm', 'Softmax'],
  ...['SplitV', 'Slice', 'Concat', 'PadV2', 'Tile', 'Transpose', 'Cast', 'OneHot'],
])

/** Terms of a sum that takes no longer than to write the result into memory and to read it again. */
const FEW_TERMS = 64
/** Elements of a result that leaves the cache: 4 MB. */
const LARGE = 2 ** 20
/** The part of all multiply-adds that may be done again. */
const SHARE = 0.02

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

  const cheap = cheapOperations(graph, makers)
  const again = new Set<Operation>()
  for (const operation of forward.toReversed()) {
    const wanted = operation.outputs.filter(({ value }) => needed.has(value))
    if (wanted.length === 0 || !cheap(operation)) continue
    const inputs = Object.values(operation.inputs)
    if (costOf(inputs, makers, needed, cheap) < wanted.reduce((sum, use) => sum + sizeOf(use), 0)) {
      again.add(operation)
      need(inputs)
    }
  }
  return { ...graph, ...repeated(graph, again) }
}

/**
 * Products by a matrix of few rows are cheap too, where their results are so large that they leave every cache, and as
 * long as all of them are a small part of the work.
 */
function cheapOperations(graph: Graph, makers: Map<number, Operation>): (operation: Operation) => boolean {
  let all = 0
  let few = 0
  const products = new Set<Operation>()
  for (const [i, operation] of graph.operations.entries()) {
    if (operation.kernel !== 'BatchMatMul') continue
    const [a, b, out] = [operation.inputs.a, operation.inputs.b, operation.outputs[0]] as [Use, Use, Use]
    const terms = a.shape.at(operation.attributes.transposeA ? -2 : -1) as number
    all += terms * sizeOf(out)
    const byMatrix = !makers.has(a.value) || !makers.has(b.value)
    if (i >= graph.backward || !byMatrix || terms > FEW_TERMS || sizeOf(out) < LARGE) continue
    few += terms * sizeOf(out)
    products.add(operation)
  }
  return (operation) => CHEAP.has(operation.kernel) || (few <= SHARE * all && products.has(operation))
}

/** How many elements more have to be kept, so that all of `uses` can be had backward. */
function costOf(
  uses: Use[],
  makers: Map<number, Operation>,
  needed: Set<number>,
  cheap: (operation: Operation) => boolean,
  depth = 0,
): number {
  return uses.reduce((sum, use) => {
    const maker = makers.get(use.value)
    if (!maker || needed.has(use.value)) return sum
    const deeper = cheap(maker) && depth < 6
    const cost = deeper
      ? costOf(Object.values(maker.inputs), makers, needed, cheap, depth + 1)
      : Number.POSITIVE_INFINITY
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
