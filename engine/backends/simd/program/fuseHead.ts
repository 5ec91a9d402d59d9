import { type Graph, type Operation, readersOf, sizeOf, type Use } from '../../../compile/graph.ts'
import type { Exports } from '../binary.ts'
import { inGroups } from '../kernels/matmulGroups.ts'

/** Logits over a large vocabulary as they were recorded, with all that reads them. */
interface Head {
  x: Use
  weight: Use
  labels: Use
  dy: Use
  loss: Use
  dx: Use
  dweight: Use
  operations: Operation[]
}

/** Fewer logits than this are worth keeping. */
const MANY = 2 ** 23
/** Logits of a tile: its gradient by the weights reads as many rows as a block of a product is deep; see assembly/matmul.ts. */
const TILE = 2 ** 22
/** Rows of a tile at least, and what their number is a multiple of. */
const ROWS = 64

/**
 * The graph with the product that gives the logits of a large vocabulary, their cross entropy, and the gradients of both in
 * one operation, which has the logits of some rows at a time; see kernels/head.ts. Only where nothing else needs the logits
 * or their gradient, and no gradient is taken in groups. Values keep their bits.
 */
export function fuseHead(graph: Graph, wasm: Pick<Exports, 'packedBytes'>): Graph {
  const { operations, outputs, backward } = graph
  const readers = readersOf(operations)
  for (const { value } of Object.values(outputs)) readers.set(value, [...(readers.get(value) ?? []), OUTSIDE])
  const head = operations.flatMap((operation) => headOf(operation, operations, readers) ?? [])[0]
  if (!head) return graph
  const { x, weight, labels, dy, loss, dx, dweight } = head
  const [late, early] = [dependents(operations, loss.value), makersOf(operations, dy.value)]
  if (early.some((operation) => late.has(operation))) return graph
  const rows = sizeOf(labels)
  const [classes, dim] = weight.shape as [number, number]
  const tile = Math.min(rows, Math.max(1, Math.floor(TILE / classes / ROWS)) * ROWS)
  let { values } = graph
  const own = [[tile, classes], [wasm.packedBytes(dim, classes) / 4], [wasm.packedBytes(classes, dim) / 4]]
  const memory = own.map((shape): Use => ({ value: values++, shape, dtype: 'float32' }))
  const fused: Operation = {
    kernel: 'HeadLoss',
    attributes: { tile },
    inputs: { x, weight, labels: { ...labels, shape: [rows] }, dy },
    outputs: [loss, dx, dweight, ...memory],
  }
  const gone = new Set(head.operations)
  const moved = new Set(early)
  const forward = operations.slice(0, backward).filter((operation) => !gone.has(operation))
  const first = [
    ...forward.filter((operation) => !late.has(operation)),
    ...operations.slice(backward).filter((operation) => moved.has(operation)),
    fused,
    ...forward.filter((operation) => late.has(operation)),
  ]
  const rest = operations.slice(backward).filter((operation) => !gone.has(operation) && !moved.has(operation))
  return { ...graph, values, operations: [...first, ...rest], backward: first.length }
}

/** The caller, who reads the outputs. */
const OUTSIDE: Operation = { kernel: '', attributes: {}, inputs: {}, outputs: [] }

/** The head whose cross entropy an operation takes; null where it is not one, or its logits are few or needed elsewhere. */
function headOf(
  entropy: Operation,
  operations: readonly Operation[],
  readers: ReadonlyMap<number, Operation[]>,
): Head | null {
  if (entropy.kernel !== 'CrossEntropy') return null
  const { logits, labels } = entropy.inputs as { logits: Use; labels: Use }
  const [loss, normaliser] = entropy.outputs as [Use, Use]
  const [slope, ...others] = readers.get(normaliser.value) ?? []
  const product = operations.find(({ outputs }) => outputs.some(({ value }) => value === logits.value))
  if (slope?.kernel !== 'CrossEntropyGrad' || others.length > 0 || product?.kernel !== 'BatchMatMul') return null
  const { a: x, b: weight } = product.inputs as { a: Use; b: Use }
  const [gradient] = slope.outputs as [Use]
  const [first, second, ...more] = readers.get(gradient.value) ?? []
  if (sizeOf(logits) < MANY || readers.get(logits.value)?.length !== 2 || !first || !second || more.length > 0)
    return null
  const [byX, byWeight] = first.attributes.transposeA ? [second, first] : [first, second]
  const [rows, dim] = [sizeOf(labels), weight.shape.at(-1) as number]
  const matrices = [x, weight].every(({ shape }) => shape.length === 2 || (shape.length === 3 && shape[0] === 1))
  if (!matrices || x.shape.at(-2) !== rows || inGroups(weight.shape.at(-2) as number, rows, dim)) return null
  if (!isProduct(product, x, weight, [false, true])) return null
  if (!isProduct(byX, gradient, weight, [false, false]) || !isProduct(byWeight, gradient, x, [true, false])) return null
  const dy = { ...(slope.inputs.dy as Use), shape: [rows] }
  return {
    x: { ...x, shape: [rows, dim] },
    weight: { ...weight, shape: weight.shape.slice(-2) },
    labels,
    dy,
    loss,
    dx: byX.outputs[0] as Use,
    dweight: byWeight.outputs[0] as Use,
    operations: [product, entropy, slope, byX, byWeight],
  }
}

/** Whether an operation is the product of these two, either transposed. */
function isProduct(
  { kernel, inputs, attributes }: Operation,
  a: Use,
  b: Use,
  [left, right]: [boolean, boolean],
): boolean {
  if (kernel !== 'BatchMatMul' || inputs.a?.value !== a.value || inputs.b?.value !== b.value) return false
  return Boolean(attributes.transposeA) === left && Boolean(attributes.transposeB) === right
}

/** The operations that need a value, or what is made of it. */
function dependents(operations: readonly Operation[], value: number): Set<Operation> {
  const known = new Set([value])
  const found = new Set<Operation>()
  for (const operation of operations) {
    if (!Object.values(operation.inputs).some((use) => known.has(use.value))) continue
    found.add(operation)
    for (const use of operation.outputs) known.add(use.value)
  }
  return found
}

/** The operations by which a value is made. */
function makersOf(operations: readonly Operation[], value: number): Operation[] {
  const wanted = new Set([value])
  return operations.toReversed().filter(({ inputs, outputs }) => {
    const isWanted = outputs.some((use) => wanted.has(use.value))
    if (isWanted) for (const use of Object.values(inputs)) wanted.add(use.value)
    return isWanted
  })
}
