import { util } from '@tensorflow/tfjs-core'
import { type Operation, sizeOf, type Use } from '../../../compile/graph.ts'
import { type Fresh, inputOf, made, outputOf, type Rewrite } from './operations.ts'

/** How entries are taken together: all of them, two results, and the number that changes nothing. */
interface Kind {
  all: 'Sum' | 'Prod'
  join: 'Add' | 'Multiply'
  none: number
}

interface Direction {
  exclusive: boolean
  reverse: boolean
}

/** Entries that are taken together one by one; longer axes are taken in blocks of so many. */
const BLOCK = 32

/** By how the places of an entry and of another one compare that counts for it. */
const BEFORE = { inclusive: ['GreaterEqual', 'LessEqual'], exclusive: ['Greater', 'Less'] } as const

/** Running sums and products along an axis, as sums and products of the entries up to each. */
function running(kind: Kind): Rewrite {
  return (operation, fresh) => {
    const [x, y] = [inputOf(operation, 'x'), outputOf(operation)]
    const axis = ((operation.attributes.axis as number) + x.shape.length) % Math.max(1, x.shape.length)
    const size = util.sizeFromShape
    const shape = [size(x.shape.slice(0, axis)), x.shape[axis] ?? 1, size(x.shape.slice(axis + 1))]
    const { exclusive, reverse } = operation.attributes as unknown as Direction
    return along({ ...x, shape }, { ...y, shape }, kind, { exclusive, reverse }, fresh)
  }
}

/** Of `x`, `[outer, n, inner]`, along n. */
function along(x: Use, y: Use, kind: Kind, direction: Direction, fresh: Fresh): Operation[] {
  const [outer, n, inner] = x.shape as [number, number, number]
  if (n <= BLOCK) return withinBlock(x, y, kind, direction, fresh)
  const blocks = Math.ceil(n / BLOCK)
  const make = (...shape: number[]) => fresh(shape, x.dtype)
  const [padded, own, all, before, whole] = [
    make(outer, blocks * BLOCK, inner),
    make(outer * blocks, BLOCK, inner),
    make(outer, blocks, inner),
    make(outer, blocks, inner),
    make(outer, blocks, BLOCK, inner),
  ] as [Use, Use, Use, Use, Use]
  const paddings = [
    [0, 0],
    [0, blocks * BLOCK - n],
    [0, 0],
  ]
  const inBlocks = { ...padded, shape: whole.shape }
  return [
    made('PadV2', { x }, padded, { paddings, constantValue: kind.none }),
    ...withinBlock({ ...padded, shape: own.shape }, own, kind, direction, fresh),
    made(kind.all, { x: inBlocks }, all, { axis: [2] }),
    ...along(all, before, kind, { ...direction, exclusive: true }, fresh),
    made(kind.join, { a: { ...before, shape: [outer, blocks, 1, inner] }, b: { ...own, shape: whole.shape } }, whole),
    made('Slice', { x: { ...whole, shape: padded.shape } }, y, { begin: [0, 0, 0], size: y.shape }),
  ]
}

function withinBlock(x: Use, y: Use, kind: Kind, { exclusive, reverse }: Direction, fresh: Fresh): Operation[] {
  const [outer, n, inner] = x.shape as [number, number, number]
  const shape = [outer, n, n, inner]
  const [own, other] = [fresh([n, 1, 1]), fresh([n, 1])]
  const [counts, none, chosen] = [fresh([n, n, 1], 'bool'), fresh([], x.dtype), fresh(shape, x.dtype)]
  const compared = BEFORE[exclusive ? 'exclusive' : 'inclusive'][reverse ? 1 : 0]
  return [
    made('Places', {}, own),
    made('Places', {}, other),
    made(compared, { a: own, b: other }, counts),
    made('Number', {}, none, { value: kind.none }),
    made('Select', { condition: counts, t: { ...x, shape: [outer, 1, n, inner] }, e: none }, chosen),
    made(kind.all, { x: chosen }, y, { axis: [2] }),
  ]
}

/** The place of the first entry along an axis that is the largest, or the smallest, one. */
function placeOf(extreme: 'Max' | 'Min'): Rewrite {
  return (operation, fresh) => {
    const [x, y] = [inputOf(operation, 'x'), outputOf(operation)]
    const axis = ((operation.attributes.axis as number) + x.shape.length) % x.shape.length
    const [length, behind] = [x.shape[axis] as number, x.shape.slice(axis + 1)]
    const kept = { ...fresh(y.shape, x.dtype), shape: x.shape.with(axis, 1) }
    const [places, last, isOne, found, first] = [
      fresh([length, ...behind.map(() => 1)]),
      fresh([]),
      fresh(x.shape, 'bool'),
      fresh(x.shape),
      fresh(y.shape),
    ]
    return [
      made(extreme, { x }, { ...kept, shape: y.shape }, { reductionIndices: [axis] }),
      made('Equal', { a: x, b: kept }, isOne),
      made('Places', {}, places),
      made('Number', {}, last, { value: length - 1 }),
      made('Select', { condition: isOne, t: places, e: last }, found),
      made('Min', { x: found }, first, { axis: [axis] }),
      made('Cast', { x: first }, y, { dtype: 'int32' }),
    ]
  }
}

/** Whether one, or all, of the truth values along some axes are true. */
function truth(extreme: 'Max' | 'Min'): Rewrite {
  return (operation, fresh) => {
    const x = inputOf(operation, 'x')
    const [whole, found] = [fresh(x.shape, 'int32'), fresh(outputOf(operation).shape, 'int32')]
    return [
      made('Cast', { x }, whole, { dtype: 'int32' }),
      { ...operation, kernel: extreme, inputs: { x: whole }, outputs: [found] },
      made('Cast', { x: found }, outputOf(operation), { dtype: 'bool' }),
    ]
  }
}

/**
 * The largest entries of each row, and where they stand: an entry has the rank of how many are larger, or as large and before it.
 * So each row is compared with itself.
 */
const topK: Rewrite = (operation, fresh) => {
  const x = inputOf(operation, 'x')
  const n = x.shape.at(-1) as number
  const rows = sizeOf(x) / n
  const [values, indices] = operation.outputs as [Use, Use]
  const k = values.shape.at(-1) as number
  const [a, b] = [
    { ...x, shape: [rows, n, 1] },
    { ...x, shape: [rows, 1, n] },
  ]
  const [own, other, place] = [fresh([n, 1]), fresh([n]), fresh([k, 1])]
  const each = (dtype: Use['dtype']) => fresh([rows, n, n], dtype)
  const [isLarger, isSame, isEarlier, isFirst, counts, ones, rank] = [
    ...[each('bool'), each('bool'), fresh([n, n], 'bool'), each('bool'), each('bool'), each('float32')],
    fresh([rows, n]),
  ] as [Use, Use, Use, Use, Use, Use, Use]
  const taken = fresh([rows, k, n], 'bool')
  const chosen = (from: Use, y: Use): Operation[] => {
    const [none, parts] = [fresh([], from.dtype), fresh([rows, k, n], from.dtype)]
    return [
      made('Number', {}, none, { value: 0 }),
      made('Select', { condition: taken, t: from, e: none }, parts),
      made('Sum', { x: parts }, { ...y, shape: [rows, k] }, { axis: [2] }),
    ]
  }
  const where = fresh([rows, k])
  return [
    made('Places', {}, own),
    made('Places', {}, other),
    made('Places', {}, place),
    made('Less', { a, b }, isLarger),
    made('Equal', { a, b }, isSame),
    made('Greater', { a: own, b: other }, isEarlier),
    made('LogicalAnd', { a: isSame, b: isEarlier }, isFirst),
    made('LogicalOr', { a: isLarger, b: isFirst }, counts),
    made('Cast', { x: counts }, ones, { dtype: 'float32' }),
    made('Sum', { x: ones }, rank, { axis: [2] }),
    made('Equal', { a: { ...rank, shape: [rows, 1, n] }, b: place }, taken),
    ...chosen(b, values),
    ...chosen(other, where),
    made('Cast', { x: where }, { ...indices, shape: [rows, k] }, { dtype: 'int32' }),
  ]
}

/** How many entries of each sorted row, `[rows, n]`, come before values, `[rows, m]`: on the `left` side those that are smaller. */
const searchSorted: Rewrite = (operation, fresh) => {
  const [x, values, y] = [inputOf(operation, 'sortedSequence'), inputOf(operation, 'values'), outputOf(operation)]
  const [rows, n] = x.shape as [number, number]
  const m = values.shape.at(-1) as number
  const [isBefore, ones] = [fresh([rows, m, n], 'bool'), fresh([rows, m, n], 'int32')]
  const compared = operation.attributes.side === 'left' ? 'Less' : 'LessEqual'
  return [
    made(compared, { a: { ...x, shape: [rows, 1, n] }, b: { ...values, shape: [rows, m, 1] } }, isBefore),
    made('Cast', { x: isBefore }, ones, { dtype: 'int32' }),
    made('Sum', { x: ones }, y, { axis: [2] }),
  ]
}

/** How often each whole number below a size is in a row, or the sum of its weights; or, as 1 and 0, whether it is there. */
const bincount: Rewrite = (operation, fresh) => {
  const [x, weights, y] = [inputOf(operation, 'x'), inputOf(operation, 'weights'), outputOf(operation)]
  const n = x.shape.at(-1) as number
  const [rows, size] = [sizeOf(x) / Math.max(1, n), y.shape.at(-1) as number]
  const shape = [rows, size, n]
  const [entries, place, isHere] = [fresh(x.shape), fresh([size, 1]), fresh(shape, 'bool')]
  const [one, none, chosen] = [fresh([], y.dtype), fresh([], y.dtype), fresh(shape, y.dtype)]
  const isBinary = operation.attributes.binaryOutput === true
  const isCount = isBinary || sizeOf(weights) === 0
  return [
    made('Cast', { x }, entries, { dtype: 'float32' }),
    made('Places', {}, place),
    made('Equal', { a: { ...entries, shape: [rows, 1, n] }, b: place }, isHere),
    made('Number', {}, one, { value: 1 }),
    made('Number', {}, none, { value: 0 }),
    made('Select', { condition: isHere, t: isCount ? one : { ...weights, shape: [rows, 1, n] }, e: none }, chosen),
    made(
      isBinary ? 'Max' : 'Sum',
      { x: chosen },
      { ...y, shape: [rows, size] },
      isBinary ? { reductionIndices: [2] } : { axis: [2] },
    ),
  ]
}

/** What compares the entries of an axis with each other. */
export const compared: Record<string, Rewrite> = {
  Cumsum: running({ all: 'Sum', join: 'Add', none: 0 }),
  Cumprod: running({ all: 'Prod', join: 'Multiply', none: 1 }),
  ArgMax: placeOf('Max'),
  ArgMin: placeOf('Min'),
  All: truth('Min'),
  Any: truth('Max'),
  TopK: topK,
  SearchSorted: searchSorted,
  Bincount: bincount,
  DenseBincount: bincount,
}
