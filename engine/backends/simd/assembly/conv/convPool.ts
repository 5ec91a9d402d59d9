// Pooling: float32 x [batch, height, width, channels] and out [batch, outHeight, outWidth, channels], over what windows have
// inside of the image, in the order of their rows and in float64: to the bit what plain JavaScript gives. Rows of a result
// are counted through the batch. A tap is a place of the window, counted row by row.
import { Geometry } from './convGeometry'

/** Rows `from` to `to` (not included) of out: the mean of each window. */
export function averagePool(geometry: usize, scratch: usize, x: usize, unused: usize, out: usize, from: i32, to: i32): void {
  const g = changetype<Geometry>(geometry)
  const pixel = (<usize>g.channels) << 2
  const line = pixel * g.width
  out += pixel * (from * g.outWidth)
  for (let row = from; row < to; row++) {
    const y = (row % g.outHeight) * g.strideHeight - g.top
    const first = max(0, y)
    const rows = max(0, min(g.height, y + g.kernelHeight) - first)
    const image = x + line * ((row / g.outHeight) * g.height + first)
    for (let column = 0; column < g.outWidth; column++, out += pixel) {
      const left = column * g.strideWidth - g.left
      const begin = max(0, left)
      const columns = max(0, min(g.width, left + g.kernelWidth) - begin)
      const count = <f64>(rows * columns)
      const corner = image + pixel * begin
      const end = corner + line * rows
      const wide = pixel * columns
      let c: usize = 0
      for (; c + 16 <= pixel; c += 16) {
        let low = f64x2.splat(0)
        let high = low
        for (let at = corner + c; at < end; at += line) {
          for (let tap = at; tap < at + wide; tap += pixel) {
            const value = v128.load(tap)
            low = f64x2.add(low, f64x2.promote_low_f32x4(value))
            high = f64x2.add(high, f64x2.promote_low_f32x4(upper(value)))
          }
        }
        const divisor = f64x2.splat(count)
        v128.store(out + c, joined(f64x2.div(low, divisor), f64x2.div(high, divisor)))
      }
      for (; c < pixel; c += 4) {
        let sum: f64 = 0
        for (let at = corner + c; at < end; at += line) {
          for (let tap = at; tap < at + wide; tap += pixel) sum += <f64>load<f32>(tap)
        }
        store<f32>(out + c, <f32>(sum / count))
      }
    }
  }
}

/** Rows `from` to `to` of out: the largest of each window, NaN passed over; and of `taps`, where it is the first time. */
export function maximumPool(geometry: usize, scratch: usize, x: usize, taps: usize, out: usize, from: i32, to: i32): void {
  const g = changetype<Geometry>(geometry)
  const pixel = (<usize>g.channels) << 2
  const line = pixel * g.width
  let place = pixel * (from * g.outWidth)
  for (let row = from; row < to; row++) {
    const y = (row % g.outHeight) * g.strideHeight - g.top
    const first = max(0, y)
    const rows = max(0, min(g.height, y + g.kernelHeight) - first)
    const image = x + line * ((row / g.outHeight) * g.height + first)
    for (let column = 0; column < g.outWidth; column++, place += pixel) {
      const left = column * g.strideWidth - g.left
      const begin = max(0, left)
      const columns = max(0, min(g.width, left + g.kernelWidth) - begin)
      const corner = image + pixel * begin
      const end = corner + line * rows
      const wide = pixel * columns
      const own = (first - y) * g.kernelWidth + begin - left
      let c: usize = 0
      for (; c + 16 <= pixel; c += 16) {
        let best = f32x4.splat(-Infinity)
        if (taps == 0) {
          for (let at = corner + c; at < end; at += line) {
            for (let tap = at; tap < at + wide; tap += pixel) best = f32x4.pmax(best, v128.load(tap))
          }
          v128.store(out + place + c, best)
          continue
        }
        let found = i32x4.splat(own)
        let number = own
        for (let at = corner + c; at < end; at += line, number += g.kernelWidth - columns) {
          for (let tap = at; tap < at + wide; tap += pixel, number++) {
            const value = v128.load(tap)
            const larger = f32x4.gt(value, best)
            best = v128.bitselect(value, best, larger)
            found = v128.bitselect(i32x4.splat(number), found, larger)
          }
        }
        v128.store(taps + place + c, found)
      }
      for (; c < pixel; c += 4) {
        let best: f32 = -Infinity
        let found = own
        let number = own
        for (let at = corner + c; at < end; at += line, number += g.kernelWidth - columns) {
          for (let tap = at; tap < at + wide; tap += pixel, number++) {
            const value = load<f32>(tap)
            if (!(value > best)) continue
            best = value
            found = number
          }
        }
        if (taps == 0) store<f32>(out + place + c, best)
        else store<i32>(taps + place + c, found)
      }
    }
  }
}

/** Rows `from` to `to` of dx: of the slopes dy of the windows, those whose largest is there; `taps` of maximumPool. */
export function maximumPoolGrad(geometry: usize, scratch: usize, dy: usize, taps: usize, dx: usize, from: i32, to: i32): void {
  const g = changetype<Geometry>(geometry)
  const pixel = (<usize>g.channels) << 2
  const line = pixel * g.outWidth
  dx += pixel * (from * g.width)
  for (let row = from; row < to; row++) {
    const y = (row % g.height) + g.top
    const firstRow = firstWindow(y, g.kernelHeight, g.strideHeight)
    const endRow = min(g.outHeight, y / g.strideHeight + 1)
    const image = line * ((row / g.height) * g.outHeight)
    for (let column = 0; column < g.width; column++, dx += pixel) {
      const at = column + g.left
      const first = firstWindow(at, g.kernelWidth, g.strideWidth)
      const end = min(g.outWidth, at / g.strideWidth + 1)
      let c: usize = 0
      for (; c + 16 <= pixel; c += 16) {
        let low = f64x2.splat(0)
        let high = low
        for (let r = firstRow; r < endRow; r++) {
          let place = image + line * r + pixel * first + c
          let own = (y - r * g.strideHeight) * g.kernelWidth + at - first * g.strideWidth
          for (let w = first; w < end; w++, place += pixel, own -= g.strideWidth) {
            const isHere = i32x4.eq(v128.load(taps + place), i32x4.splat(own))
            const slope = v128.and(v128.load(dy + place), isHere)
            low = f64x2.add(low, f64x2.promote_low_f32x4(slope))
            high = f64x2.add(high, f64x2.promote_low_f32x4(upper(slope)))
          }
        }
        v128.store(dx + c, joined(low, high))
      }
      for (; c < pixel; c += 4) {
        let sum: f64 = 0
        for (let r = firstRow; r < endRow; r++) {
          let place = image + line * r + pixel * first + c
          let own = (y - r * g.strideHeight) * g.kernelWidth + at - first * g.strideWidth
          for (let w = first; w < end; w++, place += pixel, own -= g.strideWidth) {
            if (load<i32>(taps + place) == own) sum += <f64>load<f32>(dy + place)
          }
        }
        store<f32>(dx + c, <f32>sum)
      }
    }
  }
}

/** The first window that sees a place, which counts the padding in front. */
@inline
function firstWindow(place: i32, kernel: i32, stride: i32): i32 {
  return max(0, (place - kernel + stride) / stride)
}

/** The last two lanes in front. */
@inline
function upper(value: v128): v128 {
  return i8x16.shuffle(value, value, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15)
}

/** Four float32 of two pairs of float64. */
@inline
function joined(low: v128, high: v128): v128 {
  const a = f32x4.demote_f64x2_zero(low)
  const b = f32x4.demote_f64x2_zero(high)
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}
