// The gradient by the filter of the convolutions of winograd.ts.
import { Geometry } from './convGeometry'
import { inputTiles, tilesAcross, tilesOf } from './winogradTiles'
import { TILE_ROW, tile, tileRows } from '../matmul/matmulTile'

/** Points of a tile. */
const POINTS = 16
/** Tiles at a time: sums of products are read and written once for so many terms. */
const TILES = 48

/** Bytes of scratch of `winogradGradFilter`. */
export function winogradGradScratch(rows: i32, outChannels: i32): usize {
  return (<usize>(POINTS * (rows * outChannels + rows + TILES * (rows + outChannels)))) << 2
}

/**
 * The part of the gradient, `[3, 3, channels, outChannels]`, of channels from `first` on, as many as `rows` of the
 * geometry says or there are, that comes from tiles `from` to `to`.
 */
export function winogradGradFilter(
  geometry: usize,
  scratch: usize,
  x: usize,
  dy: usize,
  out: usize,
  from: i32,
  to: i32,
  first: i32,
): void {
  const g = changetype<Geometry>(geometry)
  const channels = min(g.rows, g.channels - first)
  const pixel = (<usize>channels) << 2
  const outPixel = (<usize>g.outChannels) << 2
  const point = pixel * g.outChannels
  const patch = scratch + POINTS * point
  const seen = patch + POINTS * pixel
  const slopes = seen + POINTS * TILES * pixel
  memory.fill(scratch, 0, POINTS * point)
  for (; from < to; from += TILES) {
    const count = min(TILES, to - from)
    inputTiles(g, x + ((<usize>first) << 2), pixel, from, count, patch, seen, TILES * pixel)
    slopeTiles(g, dy, from, count, slopes)
    for (let p = 0; p < POINTS; p++) {
      for (let column: usize = 0; column < outPixel; column += TILE_ROW) {
        const right = slopes + TILES * outPixel * p + column
        for (let r = 0, height = 0; r < channels; r += height) {
          height = tileRows(channels - r)
          const left = seen + TILES * pixel * p + ((<usize>r) << 2)
          const sum = scratch + point * p + outPixel * r + column
          tile(height, left, 4, pixel, right, outPixel, count, sum, outPixel, sum, outPixel)
        }
      }
    }
  }
  const tap = ((<usize>g.channels) << 2) * g.outChannels
  out += outPixel * first
  for (let at: usize = 0; at < point; at += 16) filterTaps(scratch + at, point, out + at, tap)
}

/** slopes = A dy A^T of `count` tiles, with 0 outside of the output; what has an odd number of 3s in its point is negated. */
function slopeTiles(g: Geometry, dy: usize, from: i32, count: i32, slopes: usize): void {
  const across = tilesAcross(g)
  const each = tilesOf(g)
  const pixel = (<usize>g.outChannels) << 2
  const line = pixel * g.outWidth
  for (let number = from; number < from + count; number++, slopes += pixel) {
    const row = ((number % each) / across) << 1
    const column = ((number % each) % across) << 1
    const own = dy + line * ((number / each) * g.outHeight + row) + pixel * column
    const wide = column + 1 < g.outWidth
    const high = row + 1 < g.outHeight
    for (let c: usize = 0; c < pixel; c += 16) slopeTile(own + c, pixel, line, wide, high, slopes + c, TILES * pixel)
  }
}

@inline
function slopeTile(dy: usize, pixel: usize, line: usize, wide: bool, high: bool, slopes: usize, step: usize): void {
  const zero = f32x4.splat(0)
  const a = v128.load(dy)
  const b = wide ? v128.load(dy + pixel) : zero
  const c = high ? v128.load(dy + line) : zero
  const d = wide && high ? v128.load(dy + line + pixel) : zero
  slopeRow(a, b, slopes, step)
  slopeRow(f32x4.add(a, c), f32x4.add(b, d), slopes + 4 * step, step)
  slopeRow(f32x4.sub(a, c), f32x4.sub(b, d), slopes + 8 * step, step)
  slopeRow(c, d, slopes + 12 * step, step)
}

@inline
function slopeRow(a: v128, b: v128, slopes: usize, step: usize): void {
  v128.store(slopes, a)
  v128.store(slopes + step, f32x4.add(a, b))
  v128.store(slopes + 2 * step, f32x4.sub(a, b))
  v128.store(slopes + 3 * step, b)
}

/** The 9 taps G^T sums G of 4 numbers; `point` and `tap` are the bytes from point to point and from tap to tap. */
function filterTaps(sums: usize, point: usize, out: usize, tap: usize): void {
  for (let i = 0; i < 3; i++, out += 3 * tap) {
    const a = tapOf(i, sums, 4 * point)
    const b = tapOf(i, sums + point, 4 * point)
    const c = tapOf(i, sums + 2 * point, 4 * point)
    const d = tapOf(i, sums + 3 * point, 4 * point)
    v128.store(out, taps(0, a, b, c, d))
    v128.store(out + tap, taps(1, a, b, c, d))
    v128.store(out + 2 * tap, taps(2, a, b, c, d))
  }
}

@inline
function tapOf(i: i32, sums: usize, row: usize): v128 {
  return taps(i, v128.load(sums), v128.load(sums + row), v128.load(sums + 2 * row), v128.load(sums + 3 * row))
}

/** Row i of G^T times four numbers, the last of which is negated. */
@inline
function taps(i: i32, a: v128, b: v128, c: v128, d: v128): v128 {
  const half = f32x4.splat(0.5)
  if (i == 1) return f32x4.mul(half, f32x4.sub(b, c))
  const sum = f32x4.mul(half, f32x4.add(b, c))
  return i == 0 ? f32x4.add(a, sum) : f32x4.sub(sum, d)
}
