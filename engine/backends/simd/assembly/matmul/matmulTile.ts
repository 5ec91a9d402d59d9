// Register tiles of the matrix product: out = init + left right for a few rows and 8 columns.
//
// `left` is the address of the tile's first element of op(A); its rows lie `leftRow` bytes apart, its depths
// `leftStep`. `right` is a strip of op(B) [depth, 8] with `rightStep` bytes from depth to depth. `init` and `out` are
// [rows, 8] with `initRow` and `outRow` bytes from row to row; they may be the same. Every tile adds an element's terms
// in the order of the depth, in one chain, so an element does not depend on the tile it falls in. Not unrolled over the
// depth: V8 has 15 vector registers to give, and the tile of 6 rows needs all of them.
import { fma } from '../fma'

/** The tallest tile. */
export const TILE_ROWS = 6
/** Columns of a tile. */
export const TILE_COLUMNS = 8
/** Bytes of one row of a tile. */
export const TILE_ROW: usize = 32

/**
 * How many of `rows` rows the tallest tile takes; a remainder of 2 or 3 takes 6 more, since two tiles of 4 rows beat 6
 * and 2, whose chains are too few to hide the latency.
 */
export function tallRows(rows: i32): i32 {
  const rest = rows % TILE_ROWS
  return rows - rest - (rows > TILE_ROWS && (rest == 2 || rest == 3) ? TILE_ROWS : 0)
}

/** The rows of the next tile when `left` are left. */
export function tileRows(left: i32): i32 {
  if (tallRows(left) > 0) return TILE_ROWS
  return left >= 4 ? 4 : left >= 2 ? 2 : 1
}

/** The tile of `rows` rows. */
export function tile(
  rows: i32,
  left: usize,
  leftRow: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  depth: i32,
  init: usize,
  initRow: usize,
  out: usize,
  outRow: usize,
): void {
  if (rows == 6) tileOf(6, left, leftRow, leftStep, right, rightStep, depth, init, initRow, out, outRow)
  else if (rows == 4) tileOf(4, left, leftRow, leftStep, right, rightStep, depth, init, initRow, out, outRow)
  else if (rows == 2) tileOf(2, left, leftRow, leftStep, right, rightStep, depth, init, initRow, out, outRow)
  else tileOf(1, left, leftRow, leftStep, right, rightStep, depth, init, initRow, out, outRow)
}

/** The tile of `rows` rows, a constant: what has to do with further rows is left out when it is compiled. */
@inline
function tileOf(
  rows: i32,
  left: usize,
  leftRow: usize,
  leftStep: usize,
  right: usize,
  rightStep: usize,
  depth: i32,
  init: usize,
  initRow: usize,
  out: usize,
  outRow: usize,
): void {
  let a1 = left + leftRow
  let a2 = a1 + leftRow
  let a3 = a2 + leftRow
  let a4 = a3 + leftRow
  let a5 = a4 + leftRow
  let c00 = v128.load(init)
  let c01 = v128.load(init, 16)
  let c10 = c00
  let c11 = c01
  let c20 = c00
  let c21 = c01
  let c30 = c00
  let c31 = c01
  let c40 = c00
  let c41 = c01
  let c50 = c00
  let c51 = c01
  if (rows > 1) {
    init += initRow
    c10 = v128.load(init)
    c11 = v128.load(init, 16)
  }
  if (rows > 2) {
    init += initRow
    c20 = v128.load(init)
    c21 = v128.load(init, 16)
    init += initRow
    c30 = v128.load(init)
    c31 = v128.load(init, 16)
  }
  if (rows > 4) {
    init += initRow
    c40 = v128.load(init)
    c41 = v128.load(init, 16)
    init += initRow
    c50 = v128.load(init)
    c51 = v128.load(init, 16)
  }
  for (; depth > 0; depth--) {
    const b0 = v128.load(right)
    const b1 = v128.load(right, 16)
    let a = v128.load32_splat(left)
    c00 = fma(a, b0, c00)
    c01 = fma(a, b1, c01)
    if (rows > 1) {
      a = v128.load32_splat(a1)
      c10 = fma(a, b0, c10)
      c11 = fma(a, b1, c11)
      a1 += leftStep
    }
    if (rows > 2) {
      a = v128.load32_splat(a2)
      c20 = fma(a, b0, c20)
      c21 = fma(a, b1, c21)
      a2 += leftStep
      a = v128.load32_splat(a3)
      c30 = fma(a, b0, c30)
      c31 = fma(a, b1, c31)
      a3 += leftStep
    }
    if (rows > 4) {
      a = v128.load32_splat(a4)
      c40 = fma(a, b0, c40)
      c41 = fma(a, b1, c41)
      a4 += leftStep
      a = v128.load32_splat(a5)
      c50 = fma(a, b0, c50)
      c51 = fma(a, b1, c51)
      a5 += leftStep
    }
    right += rightStep
    left += leftStep
  }
  v128.store(out, c00)
  v128.store(out, c01, 16)
  if (rows > 1) {
    out += outRow
    v128.store(out, c10)
    v128.store(out, c11, 16)
  }
  if (rows > 2) {
    out += outRow
    v128.store(out, c20)
    v128.store(out, c21, 16)
    out += outRow
    v128.store(out, c30)
    v128.store(out, c31, 16)
  }
  if (rows > 4) {
    out += outRow
    v128.store(out, c40)
    v128.store(out, c41, 16)
    out += outRow
    v128.store(out, c50)
    v128.store(out, c51, 16)
  }
}
