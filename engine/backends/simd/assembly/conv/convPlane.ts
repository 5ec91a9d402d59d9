// Planes: images of four channels, without gaps. That of an input has zeros around and between its pixels, so that loops
// over the kernel know no bounds. The others are padded: to tiles of pixels, or of taps of the kernel.
import { Geometry } from './convGeometry'

/** Bytes of a pixel of a plane. */
export const PIXEL: usize = 16
/** Pixels that are computed together. */
export const TILE = 8
/** Taps whose gradients are computed together. */
export const TAPS = 3

/** The next multiple of `grain`. */
export function multiple(size: i32, grain: i32): i32 {
  return ((size + grain - 1) / grain) * grain
}

/** Rows that so many rows of an output see. */
export function seenRows(out: i32, kernel: i32, stride: i32, dilation: i32): i32 {
  return (out - 1) * stride + (kernel - 1) * dilation + 1
}

/** Columns that so many columns of an output see, in whole tiles. */
export function seenColumns(out: i32, kernel: i32, stride: i32, dilation: i32): i32 {
  return seenRows(multiple(out, TILE), multiple(kernel, TAPS), stride, dilation)
}

/** Rows and columns of the plane of an input. */
export function inRows(g: Geometry): i32 {
  return seenRows(g.outHeight, g.kernelHeight, g.strideHeight, g.dilationHeight)
}
export function inColumns(g: Geometry): i32 {
  return seenColumns(g.outWidth, g.kernelWidth, g.strideWidth, g.dilationWidth)
}

/** Columns of the plane of an output. */
export function outColumns(g: Geometry): i32 {
  return multiple(g.outWidth, TILE)
}

/** plane = that of an input of which x is the first of `lanes` channels. */
export function packInput(g: Geometry, x: usize, lanes: i32, plane: usize): void {
  const rows = inRows(g)
  const columns = inColumns(g)
  const pixel = (<usize>g.channels) << 2
  memory.fill(plane, 0, PIXEL * (rows * columns))
  // the first pixel that the plane has, and the one behind the last
  const first = g.left < 0 ? (g.spreadWidth - 1 - g.left) / g.spreadWidth : 0
  const end = min(g.width, (columns - g.left + g.spreadWidth - 1) / g.spreadWidth)
  const step = PIXEL * g.spreadWidth
  for (let row = 0, y = g.top; row < g.height; row++, y += g.spreadHeight) {
    if (<u32>y >= <u32>rows) continue
    const from = x + pixel * (row * g.width + first)
    packRow(from, end - first, pixel, lanes, plane + PIXEL * (y * columns + g.left + first * g.spreadWidth), step)
  }
}

/** plane = that of the gradient of an output, zeros in the padding. */
export function packOutput(g: Geometry, dy: usize, lanes: i32, plane: usize): void {
  const line = PIXEL * outColumns(g)
  const pixel = (<usize>g.channels) << 2
  memory.fill(plane, 0, line * g.outHeight)
  for (let row = g.outHeight; row > 0; row--, plane += line, dy += pixel * g.outWidth) {
    packRow(dy, g.outWidth, pixel, lanes, plane, PIXEL)
  }
}

/** out = the pixels of the plane of an output. */
export function unpackOutput(g: Geometry, plane: usize, lanes: i32, out: usize): void {
  const line = PIXEL * outColumns(g)
  const pixel = (<usize>g.channels) << 2
  for (let row = g.outHeight; row > 0; row--, plane += line, out += pixel * g.outWidth) {
    unpackRow(plane, g.outWidth, lanes, out, pixel)
  }
}

/** plane = `lanes` channels of `count` pixels of x, `step` bytes apart there and `outStep` in the plane. */
export function packRow(x: usize, count: i32, step: usize, lanes: i32, plane: usize, outStep: usize): void {
  for (; count > 0; count--, x += step, plane += outStep) v128.store(plane, loadLanes(x, lanes))
}

/** out = `lanes` channels of `count` pixels that lie side by side in the plane, and `step` bytes apart in out. */
export function unpackRow(plane: usize, count: i32, lanes: i32, out: usize, step: usize): void {
  for (; count > 0; count--, plane += PIXEL, out += step) storeLanes(out, v128.load(plane), lanes)
}

/** The `lanes` floats at x, at most four, then zeros. */
@inline
function loadLanes(x: usize, lanes: i32): v128 {
  if (lanes == 4) return v128.load(x)
  let value = v128.load32_zero(x)
  if (lanes > 1) value = v128.load_lane<f32>(x + 4, value, 1)
  if (lanes > 2) value = v128.load_lane<f32>(x + 8, value, 2)
  return value
}

@inline
function storeLanes(out: usize, value: v128, lanes: i32): void {
  if (lanes == 4) {
    v128.store(out, value)
    return
  }
  v128.store_lane<f32>(out, value, 0)
  if (lanes > 1) v128.store_lane<f32>(out + 4, value, 1)
  if (lanes > 2) v128.store_lane<f32>(out + 8, value, 2)
}
