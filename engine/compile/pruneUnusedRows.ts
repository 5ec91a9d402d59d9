import { util } from '@tensorflow/tfjs-core'
import { type Graph, type Operation, sizeOf, type Use } from './graph.ts'

/**
 * The graph without the computation of rows that no output uses. Where a head reads one token, as that of ViT, the last operations
 * on rows are needed for this token alone; and backward its gradient is 0 in all other rows, and stays so until it meets
 * an operation across rows. Values keep their bits, but for the sign of a zero.
 */
export function pruneUnusedRows(graph: Graph, keepsBits: KeepsBits): Graph {
  return slicesFirst(paddingLast(graph, keepsBits))
}

/**
 * Whether a backend's product `[k, m]^T [k, n]` over the rows of `examples` has the same bits when rows of zeros are left
 * out; a sum over rows always has.
 */
export type KeepsBits = (examples: number, m: number, k: number, n: number) => boolean

/** Rows `from` to `from + count` of the `tokens` rows of each example. */
interface Rows {
  examples: number
  tokens: number
  from: number
  count: number
}

/**
 * Operations that do the same with each row. They give zeros where one input named in `zero`, or with `all` each of
 * them, is zeros.
 */
const ROW_BY_ROW: Record<string, { zero: string[]; all?: boolean }> = {
  Add: { zero: ['a', 'b'], all: true },
  Sub: { zero: ['a', 'b'], all: true },
  Multiply: { zero: ['a', 'b'] },
  RealDiv: { zero: ['a'] },
  Gelu: { zero: ['x'] },
  GeluGrad: { zero: ['dy'] },
  LayerNorm: { zero: [] },
  LayerNormGrad: { zero: ['dy'] },
  BatchMatMul: { zero: ['a'] },
}

/** Whether the rows lie along the first axes: `[examples, tokens, ...]`, or as `[examples * tokens, ...]`. */
function hasRows(use: Use, rows: Rows): boolean {
  return isApart(use, rows) || (rows.tokens > 1 && use.shape[0] === rows.examples * rows.tokens)
}

function isApart({ shape }: Use, { examples, tokens }: Rows): boolean {
  return shape[0] === examples && shape[1] === tokens
}

/** The same use with only those rows, of another value. */
function only(use: Use, rows: Rows, value: number): Use {
  const front = isApart(use, rows) ? [rows.examples, rows.count] : [rows.examples * rows.count]
  return { ...use, value, shape: [...front, ...use.shape.slice(front.length)] }
}

/** The use with the rows along an axis of their own. */
function apart(use: Use, { examples }: Rows, tokens: number): Use {
  return { ...use, shape: [examples, tokens, sizeOf(use) / (examples * tokens)] }
}

function slicing(use: Use, rows: Rows, value: number): Operation {
  const x = apart(use, rows, rows.tokens)
  const channels = x.shape[2] as number
  const attributes = { begin: [0, rows.from, 0], size: [rows.examples, rows.count, channels] }
  return { kernel: 'Slice', attributes, inputs: { x }, outputs: [{ ...x, value, shape: attributes.size }] }
}

function padding(inner: Use, rows: Rows, out: Use): Operation {
  const after = rows.tokens - rows.from - rows.count
  const none = [0, 0]
  const attributes = { paddings: [none, [rows.from, after], none], constantValue: 0 }
  const x = apart(inner, rows, rows.count)
  return { kernel: 'PadV2', attributes, inputs: { x }, outputs: [apart(out, rows, rows.tokens)] }
}

/** The rows that a slice takes, or around which zeros are padded. */
function rowsOf({ kernel, attributes, inputs, outputs }: Operation): Rows | null {
  const [x, out] = [inputs.x, outputs[0]] as [Use, Use]
  if ((kernel !== 'Slice' && kernel !== 'PadV2') || x.shape.length !== 3) return null
  const [part, whole] = kernel === 'Slice' ? [out.shape, x.shape] : [x.shape, out.shape]
  const from = kernel === 'Slice' ? (attributes.begin as number[]) : firsts(attributes.paddings as [number, number][])
  if (attributes.constantValue || from[0] !== 0 || from[2] !== 0) return null
  if (part[0] !== whole[0] || part[2] !== whole[2] || part[1] === whole[1]) return null
  return { examples: whole[0] as number, tokens: whole[1] as number, from: from[1] as number, count: part[1] as number }
}

function firsts(pairs: [number, number][]): number[] {
  return pairs.map(([first]) => first)
}

/** The inputs of an operation row by row with some rows only, or null if it cannot be had so. */
function prunedInputs({ kernel, attributes, inputs, outputs }: Operation, rows: Rows, take: (use: Use) => Use) {
  if (!(kernel in ROW_BY_ROW) || !outputs[0] || !hasRows(outputs[0], rows)) return null
  const { a, b } = inputs
  if (kernel === 'BatchMatMul' && (attributes.transposeA || !a || !b || hasRows(b, rows) || b.shape.length > 2))
    return null
  const out = outputs[0] as Use
  const rank = out.shape.length
  const narrowed: Record<string, Use> = {}
  for (const [name, use] of Object.entries(inputs)) {
    const alike = use.shape.length === rank && isApart(use, rows) === isApart(out, rows)
    const ofRows = alike && hasRows(use, rows) && (name !== 'b' || kernel !== 'BatchMatMul')
    if (!ofRows && kernel !== 'BatchMatMul' && use.shape.length > rank - 2 && sizeOf(use) > (use.shape.at(-1) ?? 1)) {
      return null // varies along the rows
    }
    narrowed[name] = ofRows ? take(use) : use
  }
  return narrowed
}

/** Moves the padding of gradients behind the operations row by row. */
function paddingLast(graph: Graph, keepsBits: KeepsBits): Graph {
  let { values } = graph
  const operations = graph.operations.slice(0, graph.backward)
  /** By a value that is zero but in some rows: those, and the operation that makes it whole. */
  const padded = new Map<number, { rows: Rows; inner: Use; whole: Operation; made: boolean }>()
  const slices = new Map<string, number>()

  /** Only those rows of a use. */
  function take(use: Use, rows: Rows): Use {
    const known = padded.get(use.value)
    if (known && same(known.rows, rows)) return only(use, rows, known.inner.value)
    makeWhole(use.value)
    const key = JSON.stringify([use.value, rows])
    const value = slices.get(key) ?? values++
    if (!slices.has(key)) operations.push(slicing(use, rows, value))
    slices.set(key, value)
    return only(use, rows, value)
  }

  function makeWhole(value: number): void {
    const found = padded.get(value)
    if (!found || found.made) return
    found.made = true
    operations.push(found.whole)
  }

  for (const operation of graph.operations.slice(graph.backward)) {
    const own = rowsOf(operation)
    const out = operation.outputs[0] as Use
    if (own && operation.kernel === 'PadV2') {
      makeWhole((operation.inputs.x as Use).value)
      padded.set(out.value, { rows: own, inner: operation.inputs.x as Use, whole: operation, made: false })
      continue
    }
    const zero = (use: Use | undefined) => (use ? padded.get(use.value)?.rows : undefined)
    const rows = Object.values(operation.inputs).map(zero).find(Boolean)
    const narrowed =
      rows && (acrossRows(operation, rows, keepsBits) ? mapped(operation.inputs, (use) => take(use, rows)) : null)
    if (rows && narrowed) {
      // as many terms as there were decide how a backend adds them
      const terms = rows.examples * rows.tokens
      operations.push({ ...operation, attributes: { ...operation.attributes, terms }, inputs: narrowed })
      continue
    }
    const { zero: names = [], all = false } = ROW_BY_ROW[operation.kernel] ?? {}
    const zeros = names.filter((name) => rows && same(zero(operation.inputs[name]), rows))
    const enough = all ? zeros.length === names.length : zeros.length > 0
    const inputs = rows && enough ? prunedInputs(operation, rows, (use) => take(use, rows)) : null
    if (rows && inputs) {
      const inner = only(out, rows, values++)
      operations.push({ ...operation, inputs, outputs: [inner, ...operation.outputs.slice(1)] }) // others are sums over rows
      padded.set(out.value, { rows, inner, whole: padding(inner, rows, out), made: false })
    } else {
      for (const { value } of Object.values(operation.inputs)) makeWhole(value)
      operations.push(operation)
    }
  }
  for (const { value } of Object.values(graph.outputs)) makeWhole(value)
  return { ...graph, values, operations }
}

/**
 * Whether the operation adds over all rows, so that those of zeros count for nothing. A sum adds rows in groups, so that
 * it keeps its bits for one row among zeros only; a product keeps them where the backend says so.
 */
function acrossRows({ kernel, attributes, inputs }: Operation, rows: Rows, keepsBits: KeepsBits): boolean {
  const { x, a, b } = inputs
  if (kernel === 'Sum' && x && isApart(x, rows) && rows.count === 1) {
    const axes = util.parseAxisParam(attributes.axis as number[], x.shape)
    return axes.includes(1) && axes.every((axis) => axis < 2)
  }
  if (kernel !== 'BatchMatMul' || !attributes.transposeA || attributes.transposeB || !a || !b) return false
  const terms = rows.examples * rows.tokens
  const flat = [a, b].every(({ shape }) => shape.length === 2 && shape[0] === terms)
  return flat && keepsBits(rows.examples, a.shape[1] as number, terms, b.shape[1] as number)
}

/** Moves slices in front of the operations row by row whose results are used in slices alone. */
function slicesFirst(graph: Graph): Graph {
  let { values } = graph
  const users = new Map<number, Set<Operation>>()
  const use = (operation: Operation) => {
    for (const { value } of Object.values(operation.inputs)) {
      users.set(value, (users.get(value) ?? new Set()).add(operation))
    }
  }
  for (const operation of graph.operations) use(operation)
  const given = new Set(Object.values(graph.outputs).map(({ value }) => value))
  const instead = new Map<number, number>()
  const gone = new Set<Operation>()

  const operations: Operation[] = []
  let backward = graph.operations.length - graph.backward
  for (let i = graph.operations.length - 1; i >= 0; i--) {
    const operation = graph.operations[i] as Operation
    const all = operation.outputs.flatMap(({ value }) => (given.has(value) ? [null] : [...(users.get(value) ?? [])]))
    const rows = all[0] && all[0].kernel === 'Slice' ? rowsOf(all[0]) : null
    const before: Operation[] = []
    const inputs =
      rows &&
      operation.outputs.every((out) => hasRows(out, rows)) &&
      all.every((user) => user?.kernel === 'Slice' && same(rowsOf(user) ?? undefined, rows))
        ? prunedInputs(operation, rows, (input) => {
            before.push(slicing(input, rows, values++))
            return only(input, rows, before.at(-1)?.outputs[0]?.value as number)
          })
        : null
    if (!rows || !inputs) {
      operations.unshift(operation)
      continue
    }
    const outputs = operation.outputs.map((out) => only(out, rows, values++))
    for (const [o, { value }] of operation.outputs.entries()) {
      for (const user of users.get(value) ?? []) {
        instead.set((user.outputs[0] as Use).value, outputs[o]?.value as number)
        gone.add(user)
      }
    }
    for (const { value } of Object.values(operation.inputs)) users.get(value)?.delete(operation)
    for (const slice of before) use(slice)
    operations.unshift(...before, { ...operation, inputs, outputs })
    if (i >= graph.backward) backward += before.length
  }
  const follow = (use: Use): Use => {
    const value = instead.get(use.value)
    return value === undefined ? use : follow({ ...use, value })
  }
  const kept = operations.flatMap((operation, i) => {
    const last = i >= operations.length - backward
    return gone.has(operation) ? [] : [{ last, operation: { ...operation, inputs: mapped(operation.inputs, follow) } }]
  })
  return {
    ...graph,
    values,
    operations: kept.map(({ operation }) => operation),
    backward: kept.filter(({ last }) => !last).length,
    outputs: mapped(graph.outputs, follow),
  }
}

function same(a: Rows | undefined, b: Rows): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function mapped(uses: Record<string, Use>, change: (use: Use) => Use): Record<string, Use> {
  return Object.fromEntries(Object.entries(uses).map(([name, use]) => [name, change(use)]))
}
