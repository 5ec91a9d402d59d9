// Copies of matrix blocks in the order in which the tiles of matmulTile.ts read them.
import { TILE_COLUMNS, TILE_ROW, TILE_ROWS, tallRows, tileRows } from './matmulTile'
import { transpose4 } from '../transpose'

/** Bytes of one depth of a panel of the tallest tile. */
const TALL: usize = TILE_ROWS * 4

/** op(B) [depth, columns], columns a multiple of 8, as strips [strip, depth, 8]; `row` or `column` is 4 bytes. */
export function packRight(b: usize, row: usize, column: usize, depth: i32, columns: i32, strips: usize): void {
  for (; columns > 0; columns -= TILE_COLUMNS) {
    if (column == 4) packStrip(b, row, depth, strips)
    else packTransposed(b, column, depth, strips)
    b += <usize>TILE_COLUMNS * column
    strips += <usize>depth * TILE_ROW
  }
}

function packStrip(from: usize, row: usize, depth: i32, strip: usize): void {
  for (; depth > 0; depth--) {
    v128.store(strip, v128.load(from))
    v128.store(strip, v128.load(from, 16), 16)
    from += row
    strip += TILE_ROW
  }
}

function packTransposed(from: usize, row: usize, depth: i32, strip: usize): void {
  for (; depth >= 4; depth -= 4) {
    transpose4(from, row, strip, TILE_ROW)
    transpose4(from + 4 * row, row, strip + 16, TILE_ROW)
    from += 16
    strip += 4 * TILE_ROW
  }
  for (; depth > 0; depth--) {
    for (let column: usize = 0; column < <usize>TILE_COLUMNS; column++) {
      store<f32>(strip + 4 * column, load<f32>(from + column * row))
    }
    from += 4
    strip += TILE_ROW
  }
}

/** The last columns of op(B) [depth, width], fewer than 8, as a strip padded with zeros. */
export function packEdge(b: usize, row: usize, column: usize, depth: i32, width: i32, strip: usize): void {
  const zero = f32x4.splat(0)
  for (; depth > 0; depth--) {
    v128.store(strip, zero)
    v128.store(strip, zero, 16)
    for (let i: usize = 0; i < <usize>width; i++) store<f32>(strip + 4 * i, load<f32>(b + i * column))
    b += row
    strip += TILE_ROW
  }
}

/**
 * A block of A stored [depth, rows] as panels [depth, rows of the tile], one behind the other, so that the panel that
 * starts at row r begins at float r depth. Depth outside: a line of A is read once.
 */
export function packLeft(a: usize, row: usize, depth: i32, rows: i32, panels: usize): void {
  const tall = tallRows(rows)
  const panel = <usize>depth * TALL
  for (let d: usize = 0; d < <usize>depth; d++) {
    let from = a + d * row
    let to = panels + d * TALL
    for (let r = 0; r < tall; r += TILE_ROWS) {
      v128.store(to, v128.load(from))
      store<u64>(to + 16, load<u64>(from + 16))
      from += TALL
      to += panel
    }
  }
  for (let r = tall, height = 0; r < rows; r += height) {
    height = tileRows(rows - r)
    let to = panels + ((<usize>(r * depth)) << 2)
    for (let d: usize = 0; d < <usize>depth; d++) {
      const from = a + d * row + ((<usize>r) << 2)
      for (let i: usize = 0; i < <usize>height; i++) store<f32>(to + 4 * i, load<f32>(from + 4 * i))
      to += (<usize>height) << 2
    }
  }
}
