import { type Graph, type Operation, readersOf, type Use } from '../../../compile/graph.ts'

/** Comparisons of float32 by the kernels that give 1 and 0, and whether they take b first. */
const COMPARISONS: Record<string, [kernel: string, swapped: boolean]> = {
  Greater: ['MaskGreater', false],
  GreaterEqual: ['MaskGreaterEqual', false],
  Less: ['MaskGreater', true],
  LessEqual: ['MaskGreaterEqual', true],
  Equal: ['MaskEqual', false],
  NotEqual: ['MaskNotEqual', false],
}

/**
 * The graph with 1 and 0 in float32 for the truth values of comparisons that choices and casts alone read: bool is not in
 * the memory of the kernels. What is chosen keeps its bits.
 */
export function asMasks(graph: Graph): Graph {
  const masks = masksOf(graph)
  if (masks.size === 0) return graph
  const casts = new Map<number, number>() // each is its mask
  const follow = (use: Use): Use => {
    const value = casts.get(use.value) ?? use.value
    return masks.has(value) ? { ...use, value, dtype: 'float32' } : use
  }
  const operations: Operation[] = []
  let { backward } = graph
  for (const [i, operation] of graph.operations.entries()) {
    const inputs = Object.fromEntries(Object.entries(operation.inputs).map(([name, use]) => [name, follow(use)]))
    const mask = operation.kernel === 'Cast' ? (inputs.x as Use).value : null
    if (mask !== null && masks.has(mask)) {
      for (const { value } of operation.outputs) casts.set(value, mask)
      if (i < graph.backward) backward--
    } else
      operations.push({ ...operation, ...compared(operation, inputs, masks), outputs: operation.outputs.map(follow) })
  }
  const outputs = Object.fromEntries(Object.entries(graph.outputs).map(([name, use]) => [name, follow(use)]))
  return { ...graph, operations, outputs, backward }
}

/** Kernel and inputs of an operation: those of a mask, where it makes one. */
function compared(
  { kernel, outputs }: Operation,
  inputs: Record<string, Use>,
  masks: Set<number>,
): Pick<Operation, 'kernel' | 'inputs'> {
  const comparison = masks.has(outputs[0]?.value ?? -1) ? COMPARISONS[kernel] : undefined
  if (!comparison) return { kernel, inputs }
  const { a, b } = inputs as { a: Use; b: Use }
  const [name, swapped] = comparison
  return { kernel: name, inputs: swapped ? { a: b, b: a } : { a, b } }
}

/** Truth values that can be masks. */
function masksOf({ operations, outputs }: Graph): Set<number> {
  const readers = readersOf(operations)
  const given = new Set(Object.values(outputs).map(({ value }) => value))
  const masks = operations.flatMap(({ kernel, inputs, outputs: [out] }) => {
    const ofFloats = kernel in COMPARISONS && Object.values(inputs).every(({ dtype }) => dtype === 'float32')
    return out && ofFloats && !given.has(out.value) && readers.get(out.value)?.every(readsMask) ? [out.value] : []
  })
  return new Set(masks)
}

function readsMask({ kernel, inputs, outputs }: Operation): boolean {
  if (kernel === 'Cast') return outputs[0]?.dtype === 'float32'
  return kernel === 'Select' && [inputs.t, inputs.e].every((use) => use?.dtype === 'float32')
}
