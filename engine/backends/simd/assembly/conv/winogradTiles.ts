// What tiles see of an input, for winograd.ts.
import { Geometry } from './convGeometry'

/** Tiles from left to right of an output. */
export function tilesAcross(g: Geometry): i32 {
  return (g.outWidth + 1) >> 1
}

/** Tiles of an output. */
export function tilesOf(g: Geometry): i32 {
  return tilesAcross(g) * ((g.outHeight + 1) >> 1)
}

/**
 * seen = B^T x B of `count` tiles, for each point `[count, channels]` of the first `size` bytes of channels, `step` bytes
 * from point to point; `patch` is scratch.
 */
export function inputTiles(
  g: Geometry,
  x: usize,
  size: usize,
  from: i32,
  count: i32,
  patch: usize,
  seen: usize,
  step: usize,
): void {
  const across = tilesAcross(g)
  const each = tilesOf(g)
  const pixel = (<usize>g.channels) << 2
  const line = pixel * g.width
  const image = line * g.height
  for (let number = from; number < from + count; number++, seen += size) {
    const at = number % each
    const row = ((at / across) << 1) - g.top
    const column = ((at % across) << 1) - g.left
    const own = x + image * (number / each)
    if (row >= 0 && column >= 0 && row + 4 <= g.height && column + 4 <= g.width) {
      inputTile(own + line * row + pixel * column, size, pixel, line, seen, step)
    } else {
      copyTile(g, own, size, row, column, patch)
      inputTile(patch, size, size, 4 * size, seen, step)
    }
  }
}

/** patch = the 4 x 4 pixels of an image from there, zeros outside of it. */
function copyTile(g: Geometry, x: usize, size: usize, row: i32, column: i32, patch: usize): void {
  const pixel = (<usize>g.channels) << 2
  for (let i = row; i < row + 4; i++) {
    for (let j = column; j < column + 4; j++, patch += size) {
      if (<u32>i >= <u32>g.height || <u32>j >= <u32>g.width) memory.fill(patch, 0, size)
      else {
        const from = x + pixel * (i * g.width + j)
        for (let c: usize = 0; c < size; c += 16) v128.store(patch + c, v128.load(from + c))
      }
    }
  }
}

/** B^T x B of `size` bytes of channels of 4 x 4 pixels; `pixel` and `line` are the bytes from pixel to pixel and from line to line. */
function inputTile(x: usize, size: usize, pixel: usize, line: usize, seen: usize, step: usize): void {
  for (let c: usize = 0; c < size; c += 16, x += 16, seen += 16) {
    const second = x + line
    const third = second + line
    inputRow(0, x, third, pixel, seen, step)
    inputRow(1, second, third, pixel, seen + 4 * step, step)
    inputRow(0, third, second, pixel, seen + 8 * step, step)
    inputRow(0, second, third + line, pixel, seen + 12 * step, step)
  }
}

/** Four points, of the difference of two lines, or of their sum. */
@inline
function inputRow(sum: i32, a: usize, b: usize, pixel: usize, seen: usize, step: usize): void {
  const t0 = both(sum, a, b)
  const t1 = both(sum, a + pixel, b + pixel)
  const t2 = both(sum, a + 2 * pixel, b + 2 * pixel)
  const t3 = both(sum, a + 3 * pixel, b + 3 * pixel)
  v128.store(seen, f32x4.sub(t0, t2))
  v128.store(seen + step, f32x4.add(t1, t2))
  v128.store(seen + 2 * step, f32x4.sub(t2, t1))
  v128.store(seen + 3 * step, f32x4.sub(t1, t3))
}

@inline
function both(sum: i32, a: usize, b: usize): v128 {
  return sum ? f32x4.add(v128.load(a), v128.load(b)) : f32x4.sub(v128.load(a), v128.load(b))
}
