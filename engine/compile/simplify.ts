import { type Graph, isUniform, type Operation, sizeOf, type Use } from './graph.ts'

/**
 * The same graph without products by 1, without what no output needs, and, where it has no backward pass, for which values
 * would be kept, without what is done twice. Values keep their bits.
 */
export function simplify(graph: Graph): Graph {
  const needed = withoutUnused(withoutOnes(graph))
  return needed.backward > 0 ? needed : withoutUnused(withoutRepeats(needed))
}

/** An operation without attributes gives the values of an earlier one with its kernel and inputs. */
function withoutRepeats(graph: Graph): Graph {
  const known = new Map<string, Operation>()
  const same = new Map<number, number>()
  const follow = (use: Use): Use => ({ ...use, value: same.get(use.value) ?? use.value })
  const operations = graph.operations.flatMap((operation): Operation[] => {
    const inputs = followed(operation.inputs, follow)
    const key = JSON.stringify([operation.kernel, inputs])
    const earlier = known.get(key)
    if (earlier) {
      for (const [i, { value }] of operation.outputs.entries()) same.set(value, earlier.outputs[i]?.value as number)
      return []
    }
    if (Object.keys(operation.attributes).length === 0) known.set(key, operation)
    return [{ ...operation, inputs }]
  })
  return { ...graph, operations, outputs: followed(graph.outputs, follow) }
}

function followed(uses: Record<string, Use>, follow: (use: Use) => Use): Record<string, Use> {
  return Object.fromEntries(Object.entries(uses).map(([name, use]) => [name, follow(use)]))
}

/** x times a constant of ones, where that does not change the shape, is x. */
function withoutOnes(graph: Graph): Graph {
  const ones = new Set(
    graph.constants
      .filter(({ use, values }) => use.dtype === 'float32' && values[0] === 1 && isUniform(values as Float32Array))
      .map(({ use }) => use.value),
  )
  const same = new Map<number, number>()
  const follow = (use: Use): Use => ({ ...use, value: same.get(use.value) ?? use.value })

  const operations: Operation[] = []
  let { backward } = graph
  for (const [i, operation] of graph.operations.entries()) {
    const inputs = followed(operation.inputs, follow)
    const kept = operation.kernel === 'Multiply' ? factor(inputs, operation.outputs[0] as Use, ones) : null
    if (kept) {
      same.set(operation.outputs[0]?.value as number, kept.value)
      if (i < graph.backward) backward--
    } else operations.push({ ...operation, inputs })
  }
  return { ...graph, operations, outputs: followed(graph.outputs, follow), backward }
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
