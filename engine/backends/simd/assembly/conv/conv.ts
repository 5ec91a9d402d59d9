// Convolutions as products of patches, some rows at a time: out = patches filter, with float32 x [batch, height, width,
// channels], filter [kernelHeight, kernelWidth, channels, outChannels] and out [batch, outHeight, outWidth, outChannels].
// What a call computes has the same bits whatever the other calls are, since those of a product depend on no other row.
import { Geometry } from './convGeometry'
import { add, gatherPatches, scatterPatches } from './convPatches'
import { matmul } from '../matmul/matmul'

/** Pixels `from` to `to` (not included) of out. The scratch holds the patches, then that of the product. */
export function conv2d(
  geometry: usize,
  scratch: usize,
  x: usize,
  filter: usize,
  out: usize,
  from: i32,
  to: i32,
): void {
  const g = changetype<Geometry>(geometry)
  const size = g.kernelHeight * g.kernelWidth * g.channels
  const product = scratch + (((<usize>g.rows) * size) << 2)
  const outPixel = (<usize>g.outChannels) << 2
  for (; from < to; from += g.rows) {
    const count = min(g.rows, to - from)
    gatherPatches(g, x, from, from + count, 0, g.kernelHeight, scratch)
    matmul(scratch, filter, out + outPixel * from, count, size, g.outChannels, 0, 0, 0, product)
  }
}

/** The gradient by samples `from` to `to` of x, for any stride. The same scratch. */
export function conv2dGradInput(
  geometry: usize,
  scratch: usize,
  dy: usize,
  filter: usize,
  dx: usize,
  from: i32,
  to: i32,
): void {
  const g = changetype<Geometry>(geometry)
  const size = g.kernelHeight * g.kernelWidth * g.channels
  const product = scratch + (((<usize>g.rows) * size) << 2)
  const outPixel = (<usize>g.outChannels) << 2
  const image = (<usize>(g.height * g.width * g.channels)) << 2
  memory.fill(dx + image * from, 0, image * (to - from))
  const end = to * g.outHeight * g.outWidth
  for (let pixel = from * g.outHeight * g.outWidth; pixel < end; pixel += g.rows) {
    const count = min(g.rows, end - pixel)
    matmul(dy + outPixel * pixel, filter, scratch, count, g.outChannels, size, 0, 1, 0, product)
    scatterPatches(g, dx, pixel, pixel + count, scratch)
  }
}

/**
 * The part of the gradient by row `kernelRow` of the filter, [kernelWidth, channels, outChannels], that comes from pixels
 * `from` to `to`, at least one. The scratch holds patches of that row, their product, then the scratch of the product.
 */
export function conv2dGradFilter(
  geometry: usize,
  scratch: usize,
  x: usize,
  dy: usize,
  out: usize,
  from: i32,
  to: i32,
  kernelRow: i32,
): void {
  const g = changetype<Geometry>(geometry)
  const size = g.kernelWidth * g.channels
  const bytes = ((<usize>size) * g.outChannels) << 2
  const term = scratch + (((<usize>g.rows) * size) << 2)
  const product = term + ((bytes + 15) & ~15)
  const outPixel = (<usize>g.outChannels) << 2
  let sum = out
  for (; from < to; from += g.rows, sum = term) {
    const count = min(g.rows, to - from)
    gatherPatches(g, x, from, from + count, kernelRow, kernelRow + 1, scratch)
    matmul(scratch, dy + outPixel * from, sum, size, count, g.outChannels, 1, 0, 0, product)
    if (sum == term) add(term, out, bytes)
  }
}
