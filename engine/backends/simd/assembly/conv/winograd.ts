// Convolutions of 3 x 3 with stride 1 by F(2 x 2, 3 x 3) of Winograd (Lavin and Gray 2016): 16 multiplications for 4 pixels
// of the output instead of 36. A tile is 2 x 2 pixels of the output and the 4 x 4 of the input that they see; tiles are
// counted through the batch, and each has 16 points, in each of which a product of matrices runs over the channels:
//   seen = B^T x B      slopes = A dy A^T      packed = G filter G^T
//   out = A^T (seen packed) A       gradient by the filter = G^T (seen slopes) G
// Channels and outChannels are multiples of 8. What a tile gives does not depend on the other tiles of a call.
import { Geometry } from './convGeometry'
import { inputTiles, tilesAcross, tilesOf } from './winogradTiles'
import { TILE_COLUMNS, TILE_ROW, tile, tileRows } from '../matmul/matmulTile'

/** Points of a tile. */
const POINTS = 16
/** Tiles at a time: what they see of 64 channels stays in the L2 cache, their products of 8 channels in the L1 cache. */
const TILES = 24

/** Bytes of scratch of `winograd`. */
export function winogradScratch(channels: i32): usize {
  const pixel = (<usize>channels) << 2
  return TILE_ROW + POINTS * (pixel + TILES * (pixel + TILE_ROW))
}

/**
 * A filter as the products take it: for each point and 8 of outChannels `[channels, 8]`. When `turned`, that of the
 * gradient by the input: its channels are the outputs of `filter`, which is turned by half a circle.
 */
export function winogradFilter(filter: usize, packed: usize, channels: i32, outChannels: i32, turned: i32): void {
  const tap = (<usize>(channels * outChannels)) << 2
  const step = tap * (turned ? -1 : 1)
  const row: usize = turned ? 4 : (<usize>outChannels) << 2
  const column: usize = turned ? (<usize>channels) << 2 : 4
  const point = tap // of 16, as large as a tap
  if (turned) filter += 8 * tap
  for (let k = 0; k < outChannels; k++) {
    let to = packed + ((<usize>((k & -TILE_COLUMNS) * channels + (k & (TILE_COLUMNS - 1)))) << 2)
    for (let c = 0; c < channels; c++, to += TILE_ROW) {
      const from = filter + row * c + column * k
      for (let i = 0; i < 4; i++) {
        // row i of G filter
        const a = load<f32>(from)
        const b = load<f32>(from + 3 * step)
        const d = load<f32>(from + 6 * step)
        const left = gather(i, a, b, d)
        const middle = gather(i, load<f32>(from + step), load<f32>(from + 4 * step), load<f32>(from + 7 * step))
        const right = gather(i, load<f32>(from + 2 * step), load<f32>(from + 5 * step), load<f32>(from + 8 * step))
        for (let j = 0; j < 4; j++) store<f32>(to + point * (4 * i + j), gather(j, left, middle, right))
      }
    }
  }
}

/** Row i of G times three numbers. */
@inline
function gather(i: i32, a: f32, b: f32, c: f32): f32 {
  if (i == 0) return a
  if (i == 3) return c
  return 0.5 * (a + c + (i == 1 ? b : -b))
}

/** Tiles `from` to `to` (not included) of out; the filter is packed. */
export function winograd(
  geometry: usize,
  scratch: usize,
  x: usize,
  filter: usize,
  out: usize,
  from: i32,
  to: i32,
): void {
  const g = changetype<Geometry>(geometry)
  const pixel = (<usize>g.channels) << 2
  const outPixel = (<usize>g.outChannels) << 2
  const patch = scratch + TILE_ROW
  const seen = patch + POINTS * pixel
  const products = seen + POINTS * TILES * pixel
  const strip = TILE_ROW * g.channels
  v128.store(scratch, f32x4.splat(0))
  v128.store(scratch, f32x4.splat(0), 16)
  for (; from < to; from += TILES) {
    const count = min(TILES, to - from)
    inputTiles(g, x, pixel, from, count, patch, seen, TILES * pixel)
    for (let column: usize = 0; column < outPixel; column += TILE_ROW) {
      for (let p = 0; p < POINTS; p++) {
        const left = seen + TILES * pixel * p
        const right = filter + pixel * outPixel / 4 * p + strip * (column / TILE_ROW)
        const product = products + TILES * TILE_ROW * p
        for (let r = 0, height = 0; r < count; r += height) {
          height = tileRows(count - r)
          const target = product + TILE_ROW * r
          tile(height, left + pixel * r, pixel, 4, right, TILE_ROW, g.channels, scratch, 0, target, TILE_ROW)
        }
      }
      outputTiles(g, products, from, count, out + column)
    }
  }
}

/** out = A^T products A, of 8 channels. */
function outputTiles(g: Geometry, products: usize, from: i32, count: i32, out: usize): void {
  const across = tilesAcross(g)
  const each = tilesOf(g)
  const outPixel = (<usize>g.outChannels) << 2
  const line = outPixel * g.outWidth
  for (let number = from; number < from + count; number++, products += TILE_ROW) {
    const sample = number / each
    const row = ((number % each) / across) << 1
    const column = ((number % each) % across) << 1
    const target = out + line * (sample * g.outHeight + row) + outPixel * column
    const wide = column + 1 < g.outWidth
    const high = row + 1 < g.outHeight
    outputTile(products, target, outPixel, line, wide, high)
    outputTile(products + 16, target + 16, outPixel, line, wide, high)
  }
}

/** Of 4 channels. */
@inline
function outputTile(products: usize, out: usize, pixel: usize, line: usize, wide: bool, high: bool): void {
  const a0 = upper(products, 0)
  const b0 = lower(products, 0)
  const a1 = upper(products, 1)
  const b1 = lower(products, 1)
  const a2 = upper(products, 2)
  const b2 = lower(products, 2)
  const a3 = upper(products, 3)
  const b3 = lower(products, 3)
  v128.store(out, f32x4.add(f32x4.add(a0, a1), a2))
  if (wide) v128.store(out + pixel, f32x4.sub(f32x4.sub(a1, a2), a3))
  if (!high) return
  v128.store(out + line, f32x4.add(f32x4.add(b0, b1), b2))
  if (wide) v128.store(out + line + pixel, f32x4.sub(f32x4.sub(b1, b2), b3))
}

/** Column j of the first row of A^T products. */
@inline
function upper(products: usize, j: i32): v128 {
  const sum = f32x4.add(pointOf(products, j), pointOf(products, 4 + j))
  return f32x4.add(sum, pointOf(products, 8 + j))
}

/** Column j of its second row. */
@inline
function lower(products: usize, j: i32): v128 {
  const difference = f32x4.sub(pointOf(products, 4 + j), pointOf(products, 8 + j))
  return f32x4.sub(difference, pointOf(products, 12 + j))
}

@inline
function pointOf(products: usize, p: i32): v128 {
  return v128.load(products + TILES * TILE_ROW * p)
}
