// Patches of an image, float32 [batch, height, width, channels]: what the kernel sees at a pixel of the output, as a row
// [kernelHeight, kernelWidth, channels] with zeros outside of the image. Pixels are counted through the whole batch.
import { Geometry } from './convGeometry'

/** patches = those of pixels `from` to `to` (not included), and of them the kernel's rows `first` to `end`. */
export function gatherPatches(g: Geometry, x: usize, from: i32, to: i32, first: i32, end: i32, patches: usize): void {
  eachLine(g, x, from, to, first, end, patches, false)
}

/** x += whole patches of pixels `from` to `to`, each value where it comes from. */
export function scatterPatches(g: Geometry, x: usize, from: i32, to: i32, patches: usize): void {
  eachLine(g, x, from, to, 0, g.kernelHeight, patches, true)
}

@inline
function eachLine(
  g: Geometry,
  x: usize,
  from: i32,
  to: i32,
  first: i32,
  end: i32,
  patches: usize,
  scatter: bool,
): void {
  const pixel = (<usize>g.channels) << 2
  const line = pixel * g.kernelWidth
  const row = pixel * g.width
  const last = g.dilationWidth == 1 ? g.width - g.kernelWidth : -1 // column from which a line lies inside as it is
  const image = row * g.height
  let outColumn = from % g.outWidth
  let outRow = (from / g.outWidth) % g.outHeight
  x += image * (from / g.outWidth / g.outHeight)
  for (; from < to; from++) {
    const column = outColumn * g.strideWidth - g.left
    const whole = column >= 0 && column <= last
    let y = outRow * g.strideHeight - g.top + first * g.dilationHeight
    for (let k = first; k < end; k++, y += g.dilationHeight, patches += line) {
      if (<u32>y >= <u32>g.height) {
        if (!scatter) zero(patches, line)
      } else if (!whole) visitLine(g, x + row * y, column, patches, scatter)
      else if (scatter) add(patches, x + row * y + pixel * column, line)
      else copy(x + row * y + pixel * column, patches, line)
    }
    if (++outColumn < g.outWidth) continue
    outColumn = 0
    if (++outRow < g.outHeight) continue
    outRow = 0
    x += image
  }
}

/** A line of a patch: taps from `column` on, some of them maybe outside of the row x. */
function visitLine(g: Geometry, x: usize, column: i32, line: usize, scatter: bool): void {
  const pixel = (<usize>g.channels) << 2
  const taps = g.dilationWidth == 1 ? g.kernelWidth : 1 // that lie side by side
  for (let k = 0; k < g.kernelWidth; k += taps, column += g.dilationWidth) {
    const before = min(taps, max(0, -column))
    const inside = max(0, min(taps, g.width - column)) - before
    const from = x + pixel * (column + before)
    if (scatter) add(line + pixel * before, from, pixel * inside)
    else {
      zero(line, pixel * before)
      copy(from, line + pixel * before, pixel * inside)
      zero(line + pixel * (before + inside), pixel * (taps - before - inside))
    }
    line += pixel * taps
  }
}

function zero(out: usize, bytes: usize): void {
  const whole = bytes & ~15
  const zeros = f32x4.splat(0)
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, zeros)
  for (; i < bytes; i += 4) store<f32>(out + i, 0)
}

function copy(x: usize, out: usize, bytes: usize): void {
  const whole = bytes & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, v128.load(x + i))
  for (; i < bytes; i += 4) store<f32>(out + i, load<f32>(x + i))
}

/** out += x. */
export function add(x: usize, out: usize, bytes: usize): void {
  const whole = bytes & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, f32x4.add(v128.load(out + i), v128.load(x + i)))
  for (; i < bytes; i += 4) store<f32>(out + i, load<f32>(out + i) + load<f32>(x + i))
}
