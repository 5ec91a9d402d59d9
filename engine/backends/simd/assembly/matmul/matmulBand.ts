// Bands of the matrix product: tiles side by side across the columns of a few rows. Arguments that tiles have too are
// described in matmulTile.ts.
import { TILE_COLUMNS, TILE_ROW, TILE_ROWS, tile } from './matmulTile'

/** Bytes at the start of the scratch: a row of zeros, then the tile in which the last columns are computed. */
export const EDGE: usize = TILE_ROW + <usize>TILE_ROWS * TILE_ROW

/** The whole tiles of a band. `strip` and `initStrip` are the bytes from strip to strip of op(B) and of `init`. */
export function band(
  rows: i32,
  left: usize,
  leftRow: usize,
  leftStep: usize,
  right: usize,
  strip: usize,
  rightStep: usize,
  depth: i32,
  columns: i32,
  init: usize,
  initRow: usize,
  initStrip: usize,
  out: usize,
  outRow: usize,
): void {
  for (; columns > 0; columns -= TILE_COLUMNS) {
    tile(rows, left, leftRow, leftStep, right, rightStep, depth, init, initRow, out, outRow)
    right += strip
    init += initStrip
    out += TILE_ROW
  }
}

/** The last tile of a band whose columns are not a multiple of 8: `width` of its columns exist, `spare` holds all 8. */
export function edgeTile(
  rows: i32,
  left: usize,
  leftRow: usize,
  leftStep: usize,
  right: usize,
  depth: i32,
  width: i32,
  init: usize,
  initRow: usize,
  out: usize,
  outRow: usize,
  spare: usize,
): void {
  copyTile(rows, width, init, initRow, spare, TILE_ROW)
  tile(rows, left, leftRow, leftStep, right, TILE_ROW, depth, spare, TILE_ROW, spare, TILE_ROW)
  copyTile(rows, width, spare, TILE_ROW, out, outRow)
}

function copyTile(rows: i32, width: i32, from: usize, fromRow: usize, to: usize, toRow: usize): void {
  for (; rows > 0; rows--) {
    for (let i: usize = 0; i < <usize>width; i++) store<f32>(to + 4 * i, load<f32>(from + 4 * i))
    from += fromRow
    to += toRow
  }
}
