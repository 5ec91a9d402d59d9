import { type Graph, type Operation, readersOf, type Use } from '../../../compile/graph.ts'
import { withoutUnused } from '../../../compile/simplify.ts'
import type { AttentionAttributes } from './attention.ts'

/** Queries `from` to `from + count`. */
interface Queries {
  from: number
  count: number
}

/** An attention of which only some queries are needed, and the operations around it. */
interface Pruned {
  attention: Operation
  queries: Queries
  /** To `[examples, queries, heads, channels]`. */
  join: Operation
  /** What takes the queries out of that. */
  slices: Operation[]
  /** Its gradient, and the gradient by the queries alone, before zeros were padded around it. */
  backward: { gradient: Operation; dy: Use } | null
}

/**
 * The graph with attention for those queries alone whose results are needed, as where a head reads one token. Forward, the
 * slice moves in front of it; backward, where the gradient by all other queries is 0, the padding moves behind it. Values
 * keep their bits, but for the sign of a zero; see compile/pruneUnusedRows.ts, which brings slice and padding up to here.
 */
export function pruneQueries(graph: Graph): Graph {
  let { values } = graph
  const makers = new Map<number, Operation>()
  for (const operation of graph.operations) for (const { value } of operation.outputs) makers.set(value, operation)
  const readers = readersOf(graph.operations)
  const results = new Set(Object.values(graph.outputs).map(({ value }) => value))
  const instead = new Map<Operation, Operation[]>()
  const same = new Map<number, number>()

  for (const attention of graph.operations) {
    const found = attention.kernel === 'Attention' ? prunedOf(attention, makers, readers, results) : null
    if (!found) continue
    const { queries, join, slices, backward } = found
    const [full, out] = [attention.inputs.q, attention.outputs[0]] as [Use, Use]
    const q = some(full, queries, values++)
    const size = { begin: [0, 0, queries.from, 0], size: q.shape }
    const slice: Operation = { kernel: 'Slice', attributes: size, inputs: { x: full }, outputs: [q] }
    const part = some(out, queries, values++)
    const joined: Use = { ...part, value: values++, shape: swapped(part.shape) }
    instead.set(attention, [slice, { ...attention, inputs: { ...attention.inputs, q }, outputs: [part] }])
    instead.set(join, [{ ...join, inputs: { x: part }, outputs: [joined] }])
    for (const each of slices) {
      instead.set(each, [])
      same.set(each.outputs[0]?.value as number, joined.value)
    }
    if (!backward) continue
    const { gradient, dy: given } = backward
    const dy: Use = { ...part, value: values++ }
    const split: Operation = { ...join, inputs: { x: { ...given, shape: joined.shape } }, outputs: [dy] }
    const [at, whole] = [(gradient.attributes.by as string[]).indexOf('q'), full.shape[2] as number]
    const dq = gradient.outputs[at]
    const less = dq && some(dq, queries, values++)
    const outputs = gradient.outputs.map((use, i) => (i === at && less ? less : use))
    const paddings = [
      [0, 0],
      [0, 0],
      [queries.from, whole - queries.from - queries.count],
      [0, 0],
    ]
    const padding = dq && less && { kernel: 'PadV2', attributes: { paddings, constantValue: 0 } }
    instead.set(gradient, [
      split,
      { ...gradient, inputs: { ...gradient.inputs, q, dy }, outputs },
      ...(padding ? [{ ...padding, inputs: { x: less }, outputs: [dq] }] : []),
    ])
  }

  const follow = (use: Use): Use => ({ ...use, value: same.get(use.value) ?? use.value })
  const replaced = (operation: Operation) =>
    (instead.get(operation) ?? [operation]).map((each) => {
      const inputs = Object.entries(each.inputs).map(([name, use]) => [name, follow(use)])
      return { ...each, inputs: Object.fromEntries(inputs) }
    })
  const forward = graph.operations.slice(0, graph.backward).flatMap(replaced)
  const backward = graph.operations.slice(graph.backward).flatMap(replaced)
  const outputs = Object.fromEntries(Object.entries(graph.outputs).map(([name, use]) => [name, follow(use)]))
  return withoutUnused({ ...graph, values, outputs, operations: [...forward, ...backward], backward: forward.length })
}

function prunedOf(
  attention: Operation,
  makers: Map<number, Operation>,
  readers: Map<number, Operation[]>,
  results: Set<number>,
): Pruned | null {
  const [{ q, k, v }, out] = [attention.inputs, attention.outputs[0]] as [Record<'q' | 'k' | 'v', Use>, Use]
  const { varies } = attention.attributes as unknown as AttentionAttributes
  if (out.shape.length !== 4 || (varies & BY_QUERY) !== 0 || results.has(out.value)) return null
  const [join, ...others] = readers.get(out.value) ?? []
  if (!join || others.length > 0 || !swaps(join) || results.has(join.outputs[0]?.value as number)) return null
  const slices = readers.get(join.outputs[0]?.value as number) ?? []
  const taken = slices.map((each) => (each.kernel === 'Slice' ? queriesOf(each, out) : null))
  const queries = taken[0]
  if (!queries || taken.some((each) => each?.from !== queries.from || each.count !== queries.count)) return null

  const gradient = (readers.get(q.value) ?? []).find(({ kernel, inputs }) => {
    return kernel === 'AttentionGrad' && inputs.k?.value === k.value && inputs.v?.value === v.value
  })
  if (!gradient) return { attention, queries, join, slices, backward: null }
  const split = makers.get(gradient.inputs.dy?.value as number)
  const padding = split && swaps(split) ? makers.get(split.inputs.x?.value as number) : undefined
  const zeros = padding?.kernel === 'PadV2' && !padding.attributes.constantValue ? queriesOf(padding, out) : null
  if (!padding || zeros?.from !== queries.from || zeros.count !== queries.count) return null
  return { attention, queries, join, slices, backward: { gradient, dy: padding.inputs.x as Use } }
}

/** Masks that vary by query, in any of their bits. */
const BY_QUERY = 0b100_100_100

/** The queries that a slice of the joined results takes, or around which a padding puts zeros. */
function queriesOf({ kernel, attributes, inputs, outputs }: Operation, { shape }: Use): Queries | null {
  const [x, out] = [inputs.x, outputs[0]] as [Use, Use]
  const [part, whole] = kernel === 'Slice' ? [out.shape, x.shape] : [x.shape, out.shape]
  const [examples, heads, tokens, channels] = shape as [number, number, number, number]
  const from = kernel === 'Slice' ? (attributes.begin as number[]) : (attributes.paddings as number[][]).map(([n]) => n)
  if (whole.length !== 3 || whole[0] !== examples || whole[1] !== tokens || whole[2] !== heads * channels) return null
  if (part[0] !== whole[0] || part[2] !== whole[2] || from[0] !== 0 || from[2] !== 0) return null
  return { from: from[1] as number, count: part[1] as number }
}

/** Whether an operation swaps heads and tokens. */
function swaps({ kernel, attributes, inputs }: Operation): boolean {
  return kernel === 'Transpose' && inputs.x?.shape.length === 4 && String(attributes.perm) === '0,2,1,3'
}

function swapped([examples, heads, queries, channels]: number[]): number[] {
  return [examples, queries, heads, channels] as number[]
}

/** Those queries of `[examples, heads, queries, width]`, as another value. */
function some(use: Use, { count }: Queries, value: number): Use {
  return { ...use, value, shape: use.shape.with(2, count) }
}
