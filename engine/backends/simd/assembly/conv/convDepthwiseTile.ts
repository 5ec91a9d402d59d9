// The loops of depthwise convolutions over planes; see convDepthwise.ts. Steps are bytes.
import { PIXEL } from './convPlane'
import { fma } from '../fma'

/**
 * out = the sum over the taps of x kernel, for 8 pixels. Of x, pixels lie `step` apart, the taps of a row `tap` and rows
 * `line`; the kernel [rows, taps] and out have no gaps.
 */
export function convolveTile(
  x: usize,
  step: usize,
  tap: usize,
  line: usize,
  kernel: usize,
  rows: i32,
  taps: i32,
  out: usize,
): void {
  let c0 = f32x4.splat(0)
  let c1 = c0
  let c2 = c0
  let c3 = c0
  let c4 = c0
  let c5 = c0
  let c6 = c0
  let c7 = c0
  for (; rows > 0; rows--, x += line) {
    let left = x
    for (let k = taps; k > 0; k--, left += tap, kernel += PIXEL) {
      const weight = v128.load(kernel)
      let at = left
      c0 = fma(v128.load(at), weight, c0)
      at += step
      c1 = fma(v128.load(at), weight, c1)
      at += step
      c2 = fma(v128.load(at), weight, c2)
      at += step
      c3 = fma(v128.load(at), weight, c3)
      at += step
      c4 = fma(v128.load(at), weight, c4)
      at += step
      c5 = fma(v128.load(at), weight, c5)
      at += step
      c6 = fma(v128.load(at), weight, c6)
      at += step
      c7 = fma(v128.load(at), weight, c7)
    }
  }
  v128.store(out, c0)
  v128.store(out, c1, 16)
  v128.store(out, c2, 32)
  v128.store(out, c3, 48)
  v128.store(out, c4, 64)
  v128.store(out, c5, 80)
  v128.store(out, c6, 96)
  v128.store(out, c7, 112)
}

/**
 * out = the gradients by 3 taps side by side: the sum of x dy over rows of pairs of pixels. Of x, pixels lie `step` apart
 * and rows `line`, of dy rows `dyLine`.
 */
export function slopesTile(
  x: usize,
  step: usize,
  line: usize,
  dy: usize,
  dyLine: usize,
  rows: i32,
  pairs: i32,
  out: usize,
): void {
  let a0 = f32x4.splat(0)
  let a1 = a0
  let a2 = a0
  let b0 = a0
  let b1 = a0
  let b2 = a0
  for (; rows > 0; rows--, x += line, dy += dyLine) {
    let at = x
    let slope = dy
    for (let i = pairs; i > 0; i--, slope += 2 * PIXEL) {
      let d = v128.load(slope)
      a0 = fma(v128.load(at), d, a0)
      a1 = fma(v128.load(at, 16), d, a1)
      a2 = fma(v128.load(at, 32), d, a2)
      at += step
      d = v128.load(slope, 16)
      b0 = fma(v128.load(at), d, b0)
      b1 = fma(v128.load(at, 16), d, b1)
      b2 = fma(v128.load(at, 32), d, b2)
      at += step
    }
  }
  v128.store(out, f32x4.add(a0, b0))
  v128.store(out, f32x4.add(a1, b1), 16)
  v128.store(out, f32x4.add(a2, b2), 32)
}
