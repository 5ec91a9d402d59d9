// Attention without the matrix of scores (Rabe and Staats 2021, arXiv 2112.05682; Dao et al. 2022, arXiv 2205.14135): a
// tile of queries at a time meets all keys, and its scores are in memory for that long alone; backward they are computed
// again. A softmax takes its sum over a whole row, and the gradients of keys and values add up query by query, in their
// order: so results have the bits of the products, sums and softmax that they replace, whatever the tile.
import { ADD, matmulPart, matmulScratch } from './matmul/matmul'
import { matmulPacked, packedBytes, packMatrix } from './matmul/matmulPacked'
import { TILE_ROWS } from './matmul/matmulTile'
import { rowSum } from './reduce'
import { softmax } from './softmax'

/** Floats of a tile of scores: it and its gradient stay in the L2 cache beside keys and values. */
const TILE_FLOATS = 49_152
/** Queries of a tile at most. */
const MOST_QUERIES = 96

/** What happens to scores: multiplied or divided by a number. */
const MULTIPLY = 1
const DIVIDE = 2

/** How a mask varies, three bits for each: by example, by head, by query. */
const BY_EXAMPLE = 1
const BY_HEAD = 2
const BY_QUERY = 4

function floats(count: i32): usize {
  return (<usize>count) << 2
}

/** Queries of a tile, a multiple of the rows of a tile of a product. */
function tileQueries(keys: i32): i32 {
  const fitting = TILE_FLOATS / keys
  return max(TILE_ROWS, min(fitting - (fitting % TILE_ROWS), MOST_QUERIES))
}

/** Bytes of scratch of the products of tiles, a multiple of 16. */
function productScratch(keys: i32, width: i32, channels: i32): usize {
  return max(matmulScratch(keys, tileQueries(keys), max(width, channels)), matmulScratch(width, tileQueries(keys), keys))
}

/** Bytes of scratch of `attention`. */
export function attentionScratch(keys: i32, width: i32, channels: i32): usize {
  const packed = packedBytes(width, keys) + packedBytes(keys, channels)
  return productScratch(keys, width, channels) + packed + floats(tileQueries(keys) * keys) + 16
}

/** Bytes of scratch of `attentionGrad`. */
export function attentionGradScratch(keys: i32, width: i32, channels: i32): usize {
  const packed = packedBytes(width, keys) + packedBytes(channels, keys) + packedBytes(keys, width)
  return productScratch(keys, width, channels) + packed + floats(2 * tileQueries(keys) * keys) + 16
}

/** The row of a mask that belongs to a query; the mask has rows of `keys` for what it varies by. */
function maskRow(mask: usize, varies: i32, heads: i32, sample: i32, queries: i32, query: i32, keys: i32): usize {
  const ofHead = varies & BY_QUERY ? queries : 1
  const ofExample = varies & BY_HEAD ? heads * ofHead : ofHead
  let row = varies & BY_QUERY ? query : 0
  if (varies & BY_HEAD) row += (sample % heads) * ofHead
  if (varies & BY_EXAMPLE) row += (sample / heads) * ofExample
  return mask + <usize>row * floats(keys)
}

/** x times or by a number, `size` floats. */
function scaleRow(x: usize, size: i32, scaling: i32, scale: f32): void {
  const end = x + floats(size)
  const factor = f32x4.splat(scale)
  if (scaling == MULTIPLY) {
    for (; x + 16 <= end; x += 16) v128.store(x, f32x4.mul(v128.load(x), factor))
    for (; x < end; x += 4) store<f32>(x, load<f32>(x) * scale)
  } else if (scaling == DIVIDE) {
    for (; x + 16 <= end; x += 16) v128.store(x, f32x4.div(v128.load(x), factor))
    for (; x < end; x += 4) store<f32>(x, load<f32>(x) / scale)
  }
}

/** x + y in place of x. */
function addRow(x: usize, y: usize, size: i32): void {
  const end = x + floats(size)
  for (; x + 16 <= end; x += 16, y += 16) v128.store(x, f32x4.add(v128.load(x), v128.load(y)))
  for (; x < end; x += 4, y += 4) store<f32>(x, load<f32>(x) + load<f32>(y))
}

/** Products of queries and keys, `[count, keys]`, to weights: scaled, masked, softmax. `query` is the first of them. */
function weigh(
  x: usize,
  count: i32,
  mask0: usize,
  mask1: usize,
  mask2: usize,
  varies: i32,
  heads: i32,
  sample: i32,
  queries: i32,
  query: i32,
  keys: i32,
  scaling: i32,
  scale: f32,
): void {
  for (let last = query + count; query < last; query++, x += floats(keys)) {
    scaleRow(x, keys, scaling, scale)
    if (mask0) addRow(x, maskRow(mask0, varies, heads, sample, queries, query, keys), keys)
    if (mask1) addRow(x, maskRow(mask1, varies >> 3, heads, sample, queries, query, keys), keys)
    if (mask2) addRow(x, maskRow(mask2, varies >> 6, heads, sample, queries, query, keys), keys)
    softmax(x, x, 1, keys)
  }
}

/**
 * The gradient by products of queries and keys in place of that by weights: with g = dy weights, g - sum(g) weights over
 * each row of `count`, then scaled as they were.
 */
function weighGrad(dy: usize, weights: usize, count: i32, keys: i32, scaling: i32, scale: f32): void {
  const row = floats(keys)
  for (; count > 0; count--, dy += row, weights += row) {
    const whole = row & ~15
    let i: usize = 0
    for (; i < whole; i += 16) v128.store(dy + i, f32x4.mul(v128.load(dy + i), v128.load(weights + i)))
    for (; i < row; i += 4) store<f32>(dy + i, load<f32>(dy + i) * load<f32>(weights + i))
    const sum = <f32>rowSum(dy, dy + row)
    const sum4 = f32x4.splat(sum)
    for (i = 0; i < whole; i += 16) {
      v128.store(dy + i, f32x4.sub(v128.load(dy + i), f32x4.mul(sum4, v128.load(weights + i))))
    }
    for (; i < row; i += 4) store<f32>(dy + i, load<f32>(dy + i) - sum * load<f32>(weights + i))
    scaleRow(dy, keys, scaling, scale)
  }
}

/**
 * out = softmax(q k^T * scale + masks) v of each sample: q `[queries, width]`, k `[keys, width]`, or the other way round
 * with `transposed`, v `[keys, channels]`, out `[queries, channels]`. `scale` is the address of a number by which scores
 * are multiplied (`scaling` 1) or divided (2). Up to three masks, rows of `keys` floats, are added one after the other;
 * an address of 0 is none. A sample is a head of an example.
 */
export function attention(
  q: usize,
  k: usize,
  v: usize,
  out: usize,
  mask0: usize,
  mask1: usize,
  mask2: usize,
  varies: i32,
  scale: usize,
  scaling: i32,
  transposed: i32,
  samples: i32,
  heads: i32,
  queries: i32,
  keys: i32,
  width: i32,
  channels: i32,
  scratch: usize,
): void {
  const factor = scaling ? load<f32>(scale) : <f32>1
  const tile = tileQueries(keys)
  const columns = scratch + productScratch(keys, width, channels) // of the keys, packed
  const values = columns + packedBytes(width, keys)
  const scores = (values + packedBytes(keys, channels) + 15) & ~15
  for (let sample = 0; sample < samples; sample++) {
    packMatrix(k, columns, width, keys, i32(!transposed))
    packMatrix(v, values, keys, channels, 0)
    for (let query = 0; query < queries; query += tile) {
      const count = min(tile, queries - query)
      matmulPacked(q + floats(query * width), columns, scores, count, width, keys, scratch)
      weigh(scores, count, mask0, mask1, mask2, varies, heads, sample, queries, query, keys, scaling, factor)
      matmulPacked(scores, values, out + floats(query * channels), count, keys, channels, scratch)
    }
    q += floats(queries * width)
    k += floats(keys * width)
    v += floats(keys * channels)
    out += floats(queries * channels)
  }
}

/** out `[m, n]` = A^T B, or added to it, for A `[k, m]` and B `[k, n]`. */
function addProduct(a: usize, b: usize, out: usize, m: i32, k: i32, n: i32, first: bool, scratch: usize): void {
  matmulPart(a, b, out, 1, 0, 0, m, k, n, 1, 0, first ? 0 : ADD, scratch, 0, m, 0, n)
}

/** The gradients of `attention` by q, k and v for that by its result, dy; an address of 0 is one that nobody needs. */
export function attentionGrad(
  q: usize,
  k: usize,
  v: usize,
  dy: usize,
  dq: usize,
  dk: usize,
  dv: usize,
  mask0: usize,
  mask1: usize,
  mask2: usize,
  varies: i32,
  scale: usize,
  scaling: i32,
  transposed: i32,
  samples: i32,
  heads: i32,
  queries: i32,
  keys: i32,
  width: i32,
  channels: i32,
  scratch: usize,
): void {
  const factor = scaling ? load<f32>(scale) : <f32>1
  const tile = tileQueries(keys)
  const columns = scratch + productScratch(keys, width, channels)
  const rows = columns + packedBytes(width, keys)
  const values = rows + packedBytes(keys, width)
  const weights = (values + packedBytes(channels, keys) + 15) & ~15
  const slopes = weights + floats(tile * keys)
  for (let sample = 0; sample < samples; sample++) {
    packMatrix(k, columns, width, keys, i32(!transposed))
    packMatrix(v, values, channels, keys, 1)
    if (dq) packMatrix(k, rows, keys, width, transposed)
    for (let query = 0; query < queries; query += tile) {
      const count = min(tile, queries - query)
      const own = q + floats(query * width)
      const given = dy + floats(query * channels)
      matmulPacked(own, columns, weights, count, width, keys, scratch)
      weigh(weights, count, mask0, mask1, mask2, varies, heads, sample, queries, query, keys, scaling, factor)
      if (dv) addProduct(weights, given, dv, keys, count, channels, query == 0, scratch)
      if (!dq && !dk) continue
      matmulPacked(given, values, slopes, count, channels, keys, scratch)
      weighGrad(slopes, weights, count, keys, scaling, factor)
      if (dq) matmulPacked(slopes, rows, dq + floats(query * width), count, keys, width, scratch)
      if (!dk) continue
      if (transposed) addProduct(own, slopes, dk, width, count, keys, query == 0, scratch)
      else addProduct(slopes, own, dk, keys, count, width, query == 0, scratch)
    }
    q += floats(queries * width)
    k += floats(keys * width)
    v += floats(keys * channels)
    dy += floats(queries * channels)
    if (dq) dq += floats(queries * width)
    if (dk) dk += floats(keys * width)
    if (dv) dv += floats(keys * channels)
  }
}
