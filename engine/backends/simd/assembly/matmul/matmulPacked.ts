// The product with a right matrix that is packed once and used for many left ones: each sample of a batch with the
// weights of a layer. Tiles, blocks and the order of the terms are those of matmul.ts, and so are the bits.
import { DEPTH } from './matmul'
import { band, EDGE, edgeTile } from './matmulBand'
import { TILE_COLUMNS, TILE_ROW, tileRows } from './matmulTile'
import { packEdge, packRight } from './pack'

/** Bytes of the packed form of op(B) [k, n]. */
export function packedBytes(k: i32, n: i32): usize {
  return (<usize>k * ((n + TILE_COLUMNS - 1) & -TILE_COLUMNS)) << 2
}

/** op(B) [k, n] to strips: for each block of depths all strips of it, the last one padded with zeros. */
export function packMatrix(b: usize, packed: usize, k: i32, n: i32, transB: i32): void {
  const whole = n & -TILE_COLUMNS
  const row: usize = transB ? 4 : (<usize>n) << 2
  const column: usize = transB ? (<usize>k) << 2 : 4
  for (let depth = 0; depth < k; depth += DEPTH) {
    const depths = min(k - depth, DEPTH)
    const from = b + <usize>depth * row
    packRight(from, row, column, depths, whole, packed)
    packed += (<usize>(depths * whole)) << 2
    if (whole == n) continue
    packEdge(from + <usize>whole * column, row, column, depths, n - whole, packed)
    packed += <usize>depths * TILE_ROW
  }
}

/** Bytes of scratch of `matmulPacked`. */
export function packedScratch(): usize {
  return EDGE
}

/** out [m, n] = A [m, k] op(B) [k, n] for a packed op(B). */
export function matmulPacked(a: usize, packed: usize, out: usize, m: i32, k: i32, n: i32, scratch: usize): void {
  v128.store(scratch, f32x4.splat(0))
  v128.store(scratch, f32x4.splat(0), 16)
  const whole = n & -TILE_COLUMNS
  const aRow = (<usize>k) << 2
  const outRow = (<usize>n) << 2
  for (let depth = 0; depth < k; depth += DEPTH) {
    const depths = min(k - depth, DEPTH)
    const strip = <usize>depths * TILE_ROW
    const edge = packed + ((<usize>(depths * whole)) << 2)
    for (let r = 0, height = 0; r < m; r += height) {
      height = tileRows(m - r)
      const left = a + <usize>r * aRow + ((<usize>depth) << 2)
      const target = out + <usize>r * outRow
      // the first block starts from zeros, the others go on from out
      const init = depth ? target : scratch
      const initRow = depth ? outRow : 0
      const initStrip: usize = depth ? TILE_ROW : 0
      band(height, left, aRow, 4, packed, strip, TILE_ROW, depths, whole, init, initRow, initStrip, target, outRow)
      if (whole == n) continue
      const last = init + (depth ? (<usize>whole) << 2 : 0)
      const rest = target + ((<usize>whole) << 2)
      edgeTile(height, left, aRow, 4, edge, depths, n - whole, last, initRow, rest, outRow, scratch + TILE_ROW)
    }
    packed = edge + (whole < n ? strip : 0)
  }
}
