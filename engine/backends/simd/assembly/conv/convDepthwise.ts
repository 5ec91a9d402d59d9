// Depthwise convolutions: float32 x [batch, height, width, channels], filter [kernelHeight, kernelWidth, channels] and out
// [batch, outHeight, outWidth, channels]. Four channels of a sample at a time, a block, go through planes. Blocks are
// counted through the batch; the last of a sample may have fewer channels.
import { convolveTile, slopesTile } from './convDepthwiseTile'
import { Geometry } from './convGeometry'
import {
  inColumns,
  inRows,
  multiple,
  outColumns,
  PIXEL,
  packInput,
  packOutput,
  packRow,
  seenColumns,
  seenRows,
  TAPS,
  TILE,
  unpackOutput,
  unpackRow,
} from './convPlane'

/** Bytes of scratch: the planes of an input, of an output and of the kernel. */
export function depthwiseScratch(
  outHeight: i32,
  outWidth: i32,
  kernelHeight: i32,
  kernelWidth: i32,
  strideHeight: i32,
  strideWidth: i32,
  dilationHeight: i32,
  dilationWidth: i32,
): usize {
  const rows = seenRows(outHeight, kernelHeight, strideHeight, dilationHeight)
  const columns = seenColumns(outWidth, kernelWidth, strideWidth, dilationWidth)
  return PIXEL * (rows * columns + outHeight * multiple(outWidth, TILE) + kernelHeight * multiple(kernelWidth, TAPS))
}

/** Blocks `from` to `to` (not included) of out. */
export function depthwise(
  geometry: usize,
  scratch: usize,
  x: usize,
  filter: usize,
  out: usize,
  from: i32,
  to: i32,
): void {
  const g = changetype<Geometry>(geometry)
  const columns = inColumns(g)
  const outPlane = scratch + PIXEL * (inRows(g) * columns)
  const kernel = outPlane + PIXEL * (g.outHeight * outColumns(g))
  const pixel = (<usize>g.channels) << 2
  const blocks = (g.channels + 3) >> 2
  const step = PIXEL * g.strideWidth
  const row = PIXEL * (columns * g.strideHeight)
  const tap = PIXEL * g.dilationWidth
  const line = PIXEL * (columns * g.dilationHeight)
  for (let block = from; block < to; block++) {
    const sample = block / blocks
    const channel = (block % blocks) << 2
    const lanes = min(4, g.channels - channel)
    const first = (<usize>channel) << 2
    packInput(g, x + pixel * (sample * g.height * g.width) + first, lanes, scratch)
    packRow(filter + first, g.kernelHeight * g.kernelWidth, pixel, lanes, kernel, PIXEL)
    let target = outPlane
    for (let r = 0; r < g.outHeight; r++) {
      for (let c = 0; c < g.outWidth; c += TILE, target += PIXEL * TILE) {
        convolveTile(scratch + row * r + step * c, step, tap, line, kernel, g.kernelHeight, g.kernelWidth, target)
      }
    }
    unpackOutput(g, outPlane, lanes, out + pixel * (sample * g.outHeight * g.outWidth) + first)
  }
}

/** The gradient by the filter that comes from blocks `from` to `to`, for each sample its own: out [batch, filter]. */
export function depthwiseGradFilter(
  geometry: usize,
  scratch: usize,
  x: usize,
  dy: usize,
  out: usize,
  from: i32,
  to: i32,
): void {
  const g = changetype<Geometry>(geometry)
  const columns = inColumns(g)
  const outPlane = scratch + PIXEL * (inRows(g) * columns)
  const outLine = PIXEL * outColumns(g)
  const kernel = outPlane + outLine * g.outHeight
  const pixel = (<usize>g.channels) << 2
  const blocks = (g.channels + 3) >> 2
  const step = PIXEL * g.strideWidth
  const row = PIXEL * (columns * g.strideHeight)
  const pairs = (g.outWidth + 1) >> 1
  for (let block = from; block < to; block++) {
    const sample = block / blocks
    const channel = (block % blocks) << 2
    const lanes = min(4, g.channels - channel)
    const first = (<usize>channel) << 2
    packInput(g, x + pixel * (sample * g.height * g.width) + first, lanes, scratch)
    packOutput(g, dy + pixel * (sample * g.outHeight * g.outWidth) + first, lanes, outPlane)
    let target = out + pixel * (sample * g.kernelHeight * g.kernelWidth) + first
    for (let k = 0; k < g.kernelHeight; k++, target += pixel * g.kernelWidth) {
      for (let t = 0; t < g.kernelWidth; t += TAPS) {
        const seen = scratch + PIXEL * (k * columns + t)
        slopesTile(seen, step, row, outPlane, outLine, g.outHeight, pairs, kernel + PIXEL * t)
      }
      unpackRow(kernel, g.kernelWidth, lanes, target, pixel)
    }
  }
}
