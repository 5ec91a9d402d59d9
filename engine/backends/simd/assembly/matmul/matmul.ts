// The matrix product: out[b] = op(A[b]) op(B[b]) + bias, row-major float32. The depth is cut into blocks, and blocks
// of op(B) are packed so that they stay in the L2 cache while the tiles pass over the rows. An element's sum starts
// from the bias and takes its terms in the order of the depth; out carries it exactly from block to block, so its bits
// depend on its row of A, its column of B and k alone, whatever share of the rows a call computes.
import { band, EDGE, edgeTile } from './matmulBand'
import { TILE_COLUMNS, TILE_ROW, tileRows } from './matmulTile'
import { packEdge, packLeft, packRight } from './pack'

/** In place of the address of a bias: the product is added to what is in out. */
export const ADD: usize = 1
/** Depth of a block: 6 rows of A and a strip of B of this depth, 28 KB, stay in the L1 cache. */
export const DEPTH = 512
/** Floats of a packed block of B: half of a 1 MB L2 cache. */
const RIGHT = 131072
/** Rows of a packed block of transposed A, a multiple of the tile. */
const ROWS = 96
/** Up to these many rows, packing B costs more than it saves: tiles read it where it lies. */
const DIRECT_ROWS = 12
/** Up to these many columns, packing transposed A costs more than it saves. */
const DIRECT_COLUMNS = 16
/** A matrix of up to these many floats stays in the L1 cache unpacked. */
const DIRECT_FLOATS = 4096

/** Bytes of that many floats. */
function floats(count: i32): usize {
  return (<usize>count) << 2
}

function blockDepth(k: i32): i32 {
  return min(k, DEPTH)
}

/** Columns of a block of op(B) of that depth: all n, or a multiple of the tile, 256 at full depth. */
function blockColumns(depth: i32, n: i32): i32 {
  return min(n, (RIGHT / max(depth, 1)) & -TILE_COLUMNS)
}

/** Bytes of scratch, a multiple of 16, of a product [m, k] [k, n], whatever samples or rows of it a call computes. */
export function matmulScratch(m: i32, k: i32, n: i32): usize {
  const depth = blockDepth(k)
  const packed = depth * (TILE_COLUMNS + blockColumns(depth, n) + min(m, ROWS))
  return (EDGE + floats(packed) + 15) & ~15
}

/** out [m, n] = op(A) [m, k] op(B) [k, n] + bias [n]; flags tell a matrix stored transposed, `bias` may be 0 or `ADD`. */
export function matmul(
  a: usize,
  b: usize,
  out: usize,
  m: i32,
  k: i32,
  n: i32,
  transA: i32,
  transB: i32,
  bias: usize,
  scratch: usize,
): void {
  matmulPart(a, b, out, 1, 0, 0, m, k, n, transA, transB, bias, scratch, 0, m, 0, n)
}

/** `matmul` of each sample; `aStep` and `bStep` are the floats from sample to sample, 0 where all share the matrix. */
export function batchMatmul(
  a: usize,
  b: usize,
  out: usize,
  batch: i32,
  aStep: i32,
  bStep: i32,
  m: i32,
  k: i32,
  n: i32,
  transA: i32,
  transB: i32,
  bias: usize,
  scratch: usize,
): void {
  if (!transA && !bStep && aStep == m * k) {
    m *= batch
    batch = 1
  }
  matmulPart(a, b, out, batch, aStep, bStep, m, k, n, transA, transB, bias, scratch, 0, m, 0, n)
}

/**
 * Rows `from` to `to` (not included) of every sample of `batchMatmul`, and of them the columns from `first` to `last`: a
 * thread's share, with a scratch of its own, bit-equal to those elements of the whole. Shares of a multiple of 6 rows and
 * 8 columns are the fastest.
 */
export function matmulPart(
  a: usize,
  b: usize,
  out: usize,
  batch: i32,
  aStep: i32,
  bStep: i32,
  m: i32,
  k: i32,
  n: i32,
  transA: i32,
  transB: i32,
  bias: usize,
  scratch: usize,
  from: i32,
  to: i32,
  first: i32,
  last: i32,
): void {
  v128.store(scratch, f32x4.splat(0))
  v128.store(scratch, f32x4.splat(0), 16)
  // bytes from row to row, from column to column and from depth to depth of op(A), op(B) and out
  const aRow = floats(transA ? 1 : k)
  const aDepth = floats(transA ? m : 1)
  const bColumn = floats(transB ? k : 1)
  const bDepth = floats(transB ? 1 : n)
  const outRow = floats(n)

  const depthBlock = blockDepth(k)
  const columnBlock = blockColumns(depthBlock, n)
  const aPacked = transA && n > DIRECT_COLUMNS && m * k > DIRECT_FLOATS
  const bPacked = transB || (to - from > DIRECT_ROWS && k * n > DIRECT_FLOATS)
  const rowBlock = aPacked ? ROWS : to - from
  const edge = scratch + EDGE
  const strips = edge + <usize>depthBlock * TILE_ROW
  const panels = strips + floats(depthBlock * (columnBlock & -TILE_COLUMNS))

  for (let column = first; column < last; column += columnBlock) {
    const columns = min(last - column, columnBlock)
    const whole = columns & -TILE_COLUMNS
    let depth = 0
    do {
      const depths = min(k - depth, depthBlock)
      const strip = bPacked ? <usize>depths * TILE_ROW : TILE_ROW
      const stripDepth = bPacked ? TILE_ROW : bDepth
      for (let sample = 0; sample < batch; sample++) {
        const left = a + <usize>sample * floats(aStep) + <usize>depth * aDepth
        const right = b + <usize>sample * floats(bStep) + <usize>depth * bDepth + <usize>column * bColumn
        if (sample == 0 || bStep) {
          if (bPacked) packRight(right, bDepth, bColumn, depths, whole, strips)
          if (whole < columns) packEdge(right + <usize>whole * bColumn, bDepth, bColumn, depths, columns - whole, edge)
        }
        for (let rowFrom = from; rowFrom < to; rowFrom += rowBlock) {
          const rows = min(to - rowFrom, rowBlock)
          if (aPacked && (sample == 0 || aStep || to - from > ROWS)) {
            packLeft(left + <usize>rowFrom * aRow, aDepth, depths, rows, panels)
          }
          for (let r = 0, height = 0; r < rows; r += height) {
            height = tileRows(rows - r)
            const row = <usize>(rowFrom + r)
            const tileLeft = aPacked ? panels + floats(r * depths) : left + row * aRow
            const tileRow: usize = aPacked ? 4 : aRow
            const tileDepth = aPacked ? floats(height) : aDepth
            // the first block starts from the bias or the row of zeros, the others go on from out
            const target = out + (<usize>sample * <usize>m + row) * outRow + floats(column)
            const init = depth || bias == ADD ? target : bias ? bias + floats(column) : scratch
            const initRow = depth || bias == ADD ? outRow : 0
            const initStrip: usize = depth || bias ? TILE_ROW : 0
            band(
              height,
              tileLeft,
              tileRow,
              tileDepth,
              bPacked ? strips : right,
              strip,
              stripDepth,
              depths,
              whole,
              init,
              initRow,
              initStrip,
              target,
              outRow,
            )
            if (whole < columns) {
              edgeTile(
                height,
                tileLeft,
                tileRow,
                tileDepth,
                edge,
                depths,
                columns - whole,
                init + (initStrip ? floats(whole) : 0),
                initRow,
                target + floats(whole),
                outRow,
                scratch + TILE_ROW,
              )
            }
          }
        }
      }
      depth += depths
    } while (depth < k)
  }
}
