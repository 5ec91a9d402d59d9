import { type Graph, type Operation, readersOf, sizeOf, type Use } from '../../../compile/graph.ts'
import { inGroups } from '../kernels/matmulGroups.ts'
import { type AttentionAttributes, MASKS, SCALINGS } from './attention.ts'

/** Attention as it was recorded: the operations that one takes the place of. */
interface Attention {
  q: Use
  k: Use
  v: Use
  out: Use
  scale: Use | undefined
  masks: Use[]
  attributes: AttentionAttributes
  /** The products of queries and keys, what is done to them, and the product with the values, which comes last. */
  forward: Operation[]
  backward: { dy: Use; outputs: Use[]; by: ('q' | 'k' | 'v')[]; operations: Operation[] } | null
}

/** What is known of a graph while patterns are looked for in it. */
interface Links {
  maker(use: Use): Operation | undefined
  readers(use: Use): Operation[]
  isOutput(use: Use): boolean
}

/** Up to so many keys, to keep the weights costs less than to compute them again backward. */
const FEW_KEYS = 128

/**
 * The graph with softmax(q k^T) v, scaled and masked, in one operation, and its gradient in another, where there are many
 * keys and nothing else needs the weights or what they are made of. Values keep their bits.
 */
export function fuseAttention(graph: Graph, batch: number): Graph {
  const makers = new Map<number, Operation>()
  for (const operation of graph.operations) for (const { value } of operation.outputs) makers.set(value, operation)
  const readers = readersOf(graph.operations)
  const results = new Set(Object.values(graph.outputs).map(({ value }) => value))
  const links: Links = {
    maker: ({ value }) => makers.get(value),
    readers: ({ value }) => readers.get(value) ?? [],
    isOutput: ({ value }) => results.has(value),
  }
  const gone = new Set<Operation>()
  const instead = new Map<Operation, Operation>()
  for (const operation of graph.operations) {
    const found = operation.kernel === 'Softmax' ? attentionOf(operation, batch, links) : null
    if (!found) continue
    const { forward, backward, attributes, masks, q, k, v, out, scale } = found
    const named = Object.fromEntries(masks.map((mask, i) => [`mask${i}`, mask]))
    const inputs = { q, k, v, ...(scale && { scale }), ...named }
    for (const each of [...forward, ...(backward?.operations ?? [])]) gone.add(each)
    instead.set(forward.at(-1) as Operation, {
      kernel: 'Attention',
      attributes: { ...attributes },
      inputs,
      outputs: [out],
    })
    if (!backward) continue
    const { dy, outputs, by, operations } = backward
    const first = graph.operations.find((each) => operations.includes(each)) as Operation
    instead.set(first, {
      kernel: 'AttentionGrad',
      attributes: { ...attributes, by },
      inputs: { ...inputs, dy },
      outputs,
    })
  }
  const replaced = (operation: Operation) => instead.get(operation) ?? (gone.has(operation) ? [] : operation)
  const forward = graph.operations.slice(0, graph.backward).flatMap(replaced)
  const backward = graph.operations.slice(graph.backward).flatMap(replaced)
  return { ...graph, operations: [...forward, ...backward], backward: forward.length }
}

/** The attention whose weights a softmax makes; null where it is not one, or its weights are needed elsewhere. */
function attentionOf(softmax: Operation, batch: number, links: Links): Attention | null {
  const [logits, weights] = [softmax.inputs.logits, softmax.outputs[0]] as [Use, Use]
  const { dim } = softmax.attributes as { dim: number }
  const [queries, keys] = logits.shape.slice(-2) as [number, number]
  const samples = sizeOf(logits) / (queries * keys)
  if (keys <= FEW_KEYS || logits.dtype !== 'float32' || (dim !== -1 && dim !== logits.shape.length - 1)) return null
  if (logits.shape.length < 3 || !(samples > 0) || samples % batch) return null

  const scores = scoresOf(logits, links)
  if (!scores) return null
  const { product, masks, scale, scaling, operations } = scores
  const { a: q, b: k } = product.inputs as { a: Use; b: Use }
  const { transposeA, transposeB } = product.attributes as { transposeA: boolean; transposeB: boolean }
  const width = q.shape.at(-1) as number
  if (transposeA || !isMatrices(q, samples, queries, width) || links.isOutput(weights)) return null
  const [rows, columns] = transposeB ? [keys, width] : [width, keys]
  if (!isMatrices(k, samples, rows, columns)) return null

  const last = links.readers(weights).find((each) => isProduct(each, weights, 'a') && !each.attributes.transposeA)
  const { b: v } = (last?.inputs ?? {}) as { b?: Use }
  const channels = v?.shape.at(-1) ?? 0
  if (!last || !v || last.attributes.transposeB || !isMatrices(v, samples, keys, channels)) return null
  if (!last.inputs.a || !isMatrices(last.inputs.a, samples, queries, keys)) return null

  const varying = variesOf(masks, batch, logits.shape.slice(-2))
  if (!varying) return null
  const attributes: AttentionAttributes = { scaling, transposed: !transposeB, ...varying }
  const found = { q, k, v, out: last.outputs[0] as Use, scale, masks: masks.map(({ use }) => use), attributes }
  const forward = [...operations, softmax, last]
  const others = links.readers(weights).filter((each) => each !== last)
  if (others.length === 0) return { ...found, forward, backward: null }
  // products over the queries of a single sample may be taken in groups; see kernels/matmulGroups.ts
  const grouped = [channels, width].some((n) => inGroups(keys, queries, n) || inGroups(n, queries, keys))
  const backward = samples === 1 && grouped ? null : gradientOf(found, weights, others, links)
  return backward && { ...found, forward, backward }
}

/** A mask, and the shape of the scores that it is added to. */
interface Mask {
  use: Use
  scores: number[]
}

interface Scores {
  product: Operation
  scale: Use | undefined
  scaling: number
  /** In the order in which they are added. */
  masks: Mask[]
  operations: Operation[]
}

/** The product that logits are, scaled, then masked; nothing but the next of these operations reads what one makes. */
function scoresOf(logits: Use, links: Links): Scores | null {
  const maker = links.maker(logits)
  if (!maker || links.isOutput(logits) || links.readers(logits).length !== 1) return null
  const { kernel, inputs, outputs } = maker
  const { a, b } = inputs as { a: Use; b: Use }
  const size = sizeOf(logits)
  if (kernel === 'BatchMatMul') {
    return { product: maker, scale: undefined, scaling: 0, masks: [], operations: [maker] }
  }
  if (kernel === 'Add') {
    for (const [own, mask] of [[a, b] as const, [b, a] as const]) {
      const before = sizeOf(own) === size ? scoresOf(own, links) : null
      if (!before || before.masks.length === MASKS || mask.dtype !== 'float32') continue
      const masks = [...before.masks, { use: mask, scores: outputs[0]?.shape ?? [] }]
      return { ...before, masks, operations: [...before.operations, maker] }
    }
    return null
  }
  const scaling = SCALINGS.indexOf(kernel as 'Multiply')
  if (scaling < 1) return null
  const [own, scale] = kernel === 'Multiply' && sizeOf(a) === 1 ? [b, a] : [a, b]
  const before = sizeOf(scale) === 1 && scale.dtype === 'float32' && sizeOf(own) === size ? scoresOf(own, links) : null
  if (!before || before.scaling || before.masks.length > 0) return null
  return { ...before, scale, scaling, operations: [...before.operations, maker] }
}

/** How masks vary, and the heads of an example; null where they do in another way. */
function variesOf(masks: Mask[], batch: number, matrix: number[]): { heads: number; varies: number } | null {
  let [heads, varies] = [1, 0]
  for (const [i, { use, scores }] of masks.entries()) {
    const shape = [...Array<number>(scores.length).fill(1), ...use.shape].slice(-scores.length)
    const [lead, rows] = [scores.slice(0, -2), matrix[0] as number]
    const own = lead.slice(1).reduce((product, n) => product * n, 1)
    if (String(scores.slice(-2)) !== String(matrix)) return null
    if (scores.length > 4 || (i > 0 && own !== heads) || (lead[0] as number) % batch) return null
    if (shape.at(-1) !== scores.at(-1) || use.shape.length > scores.length) return null
    if (shape.some((n, axis) => n !== 1 && n !== scores[axis])) return null
    heads = own
    const [byExample, byHead] = [(shape[0] as number) > 1, scores.length === 4 && (shape[1] as number) > 1]
    const byQuery = rows > 1 && shape.at(-2) === rows
    varies |= (Number(byExample) + 2 * Number(byHead) + 4 * Number(byQuery)) << (3 * i)
  }
  return { heads, varies }
}

/** The gradient of an attention, made by all other readers of its weights. */
function gradientOf(
  { q, k, v, out, scale, attributes: { scaling, transposed } }: Omit<Attention, 'forward' | 'backward'>,
  weights: Use,
  others: Operation[],
  links: Links,
): Attention['backward'] {
  const only = (use: Use | undefined, kernel: string): Operation | undefined => {
    const readers = use && !links.isOutput(use) ? links.readers(use) : []
    return readers.length === 1 && readers[0]?.kernel === kernel ? readers[0] : undefined
  }
  const byValues = others.find((each) => isProduct(each, weights, 'a') && each.attributes.transposeA)
  const products = others.filter(({ kernel }) => kernel === 'Multiply')
  // g = dy v^T * weights, then g - sum(g) * weights
  const slopes = products.find((each) => isProduct(links.maker(other(each, weights)), v, 'b'))
  const byWeights = slopes && links.maker(other(slopes, weights))
  const [g] = slopes?.outputs ?? []
  if (!slopes || !byWeights || !g || links.isOutput(g) || links.readers(g).length !== 2) return null
  const dy = byWeights.inputs.a as Use
  const { transposeA, transposeB } = byWeights.attributes
  const made = byWeights.outputs[0] as Use
  if (transposeA || !transposeB || only(made, 'Multiply') !== slopes) return null
  if (sizeOf(made) !== sizeOf(weights) || sizeOf(dy) !== sizeOf(out)) return null

  const sum = links.readers(g).find(({ kernel }) => kernel === 'Sum')
  const axes = [(sum?.attributes.axis as number | number[]) ?? []].flat()
  const { shape } = sum?.inputs.x ?? { shape: [] }
  if (!sum?.attributes.keepDims || axes.length !== 1 || shape.at(-1) !== weights.shape.at(-1)) return null
  if (axes[0] !== shape.length - 1 && axes[0] !== -1) return null
  const share = only(sum.outputs[0], 'Multiply')
  const rest = only(share?.outputs[0], 'Sub')
  if (!share || !rest || !products.includes(share) || rest.inputs.a?.value !== g.value) return null

  const scaled = scaling ? only(rest.outputs[0], SCALINGS[scaling] as string) : rest
  const [slope] = scaled?.outputs ?? []
  if (!scaled || !slope || links.isOutput(slope)) return null
  if (scaling && other(scaled, rest.outputs[0] as Use).value !== scale?.value) return null
  if (SCALINGS[scaling] === 'RealDiv' && scaled.inputs.b?.value !== scale?.value) return null

  const ends = links.readers(slope)
  const byQueries = ends.find(
    (each) => isProduct(each, slope, 'a') && !each.attributes.transposeA && each.inputs.b?.value === k.value,
  )
  const byKeys = ends.find(
    (each) =>
      isProduct(each, transposed ? q : slope, 'a') &&
      each.attributes.transposeA &&
      other(each, slope).value === q.value,
  )
  if (byQueries && byQueries.attributes.transposeB !== transposed) return null
  if (byKeys?.attributes.transposeB) return null
  if (byValues && (byValues.inputs.b?.value !== dy.value || byValues.attributes.transposeB)) return null
  const found = [byQueries, byKeys].filter((each) => each !== undefined)
  const known = [slopes, share, ...(byValues ? [byValues] : [])]
  if (ends.length !== found.length || others.length !== known.length) return null

  const outputs = { q: byQueries, k: byKeys, v: byValues }
  const by = (['q', 'k', 'v'] as const).filter((name) => outputs[name])
  const operations = [...known, ...found, byWeights, sum, rest, ...(scaled === rest ? [] : [scaled])]
  return { dy, by, operations, outputs: by.map((name) => outputs[name]?.outputs[0] as Use) }
}

function isProduct(operation: Operation | undefined, { value }: Use, side: 'a' | 'b'): operation is Operation {
  return operation?.kernel === 'BatchMatMul' && operation.inputs[side]?.value === value
}

/** The input of an operation of two that is not this one. */
function other({ inputs }: Operation, { value }: Use): Use {
  return (inputs.a?.value === value ? inputs.b : inputs.a) as Use
}

/** Whether a value is so many matrices. */
function isMatrices({ shape, dtype }: Use, count: number, rows: number, columns: number): boolean {
  if (dtype !== 'float32' || shape.at(-2) !== rows || shape.at(-1) !== columns) return false
  return shape.reduce((size, n) => size * n, 1) === count * rows * columns
}
