import { fma } from './fma'
import { rowSum } from './reduce'

/** The sum of the four lanes, in double precision. */
@inline
function total4(x: v128): f64 {
  return (
    <f64>f32x4.extract_lane(x, 0) +
    <f64>f32x4.extract_lane(x, 1) +
    <f64>f32x4.extract_lane(x, 2) +
    <f64>f32x4.extract_lane(x, 3)
  )
}

/** out = x - mean, and the sum of its squares. */
function centre(x: usize, out: usize, row: usize, mean: f32): f64 {
  const wide = row & ~63
  const whole = row & ~15
  const mean4 = f32x4.splat(mean)
  let s0 = f32x4.splat(0)
  let s1 = s0
  let s2 = s0
  let s3 = s0
  let at: usize = 0
  for (; at < wide; at += 64) {
    const c0 = f32x4.sub(v128.load(x + at), mean4)
    const c1 = f32x4.sub(v128.load(x + at, 16), mean4)
    const c2 = f32x4.sub(v128.load(x + at, 32), mean4)
    const c3 = f32x4.sub(v128.load(x + at, 48), mean4)
    v128.store(out + at, c0)
    v128.store(out + at, c1, 16)
    v128.store(out + at, c2, 32)
    v128.store(out + at, c3, 48)
    s0 = fma(c0, c0, s0) // one chain would wait for each sum
    s1 = fma(c1, c1, s1)
    s2 = fma(c2, c2, s2)
    s3 = fma(c3, c3, s3)
  }
  for (; at < whole; at += 16) {
    const centred = f32x4.sub(v128.load(x + at), mean4)
    v128.store(out + at, centred)
    s0 = fma(centred, centred, s0)
  }
  let squares = total4(f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3)))
  for (; at < row; at += 4) {
    const centred = load<f32>(x + at) - mean
    store<f32>(out + at, centred)
    squares += <f64>(centred * centred)
  }
  return squares
}

/** value = value factor, out = value weight + bias. */
function scaleRow(value: usize, weight: usize, bias: usize, out: usize, row: usize, factor: f32): void {
  const whole = row & ~15
  const factor4 = f32x4.splat(factor)
  let at: usize = 0
  for (; at < whole; at += 16) {
    const scaled = f32x4.mul(v128.load(value + at), factor4)
    v128.store(value + at, scaled)
    v128.store(out + at, fma(scaled, v128.load(weight + at), v128.load(bias + at)))
  }
  for (; at < row; at += 4) {
    const scaled = f32x4.mul(v128.load32_zero(value + at), factor4)
    v128.store_lane<f32>(value + at, scaled, 0)
    v128.store_lane<f32>(out + at, fma(scaled, v128.load32_zero(weight + at), v128.load32_zero(bias + at)), 0)
  }
}

/**
 * value = (x - mean) scale with scale = 1 / sqrt(variance + eps) over the last axis, `[rows, dim]` and `[rows]`, and out =
 * value weight + bias, both `[dim]`. Two passes: the variance is that of the centred row.
 */
export function layerNorm(
  x: usize,
  weight: usize,
  bias: usize,
  out: usize,
  value: usize,
  scale: usize,
  rows: i32,
  dim: usize,
  eps: f64,
): void {
  const row = dim << 2
  for (let r = 0; r < rows; r++, x += row, out += row, value += row, scale += 4) {
    const mean = <f32>(rowSum(x, x + row) / <f64>dim)
    const factor = <f32>(1 / Math.sqrt(centre(x, value, row, mean) / <f64>dim + eps))
    store<f32>(scale, factor)
    scaleRow(value, weight, bias, out, row, factor)
  }
}

/** Sums over a row, of dy weight and of dy weight y. */
let sum: f64 = 0
let along: f64 = 0

/** Takes the sums of the row. */
function sumRow(dy: usize, y: usize, weight: usize, row: usize): void {
  const whole = row & ~15
  let sum4 = f32x4.splat(0)
  let along4 = f32x4.splat(0)
  let at: usize = 0
  for (; at < whole; at += 16) {
    const t = f32x4.mul(v128.load(dy + at), v128.load(weight + at))
    sum4 = f32x4.add(sum4, t)
    along4 = fma(t, v128.load(y + at), along4)
  }
  sum = total4(sum4)
  along = total4(along4)
  for (; at < row; at += 4) {
    const t = load<f32>(dy + at) * load<f32>(weight + at)
    sum += <f64>t
    along += <f64>(t * load<f32>(y + at))
  }
}

/** Adds dy to `bias` and dy y to `weights`. */
function addColumns(dy: usize, y: usize, weights: usize, bias: usize, row: usize): void {
  const whole = row & ~15
  let at: usize = 0
  for (; at < whole; at += 16) {
    const d = v128.load(dy + at)
    v128.store(bias + at, f32x4.add(v128.load(bias + at), d))
    v128.store(weights + at, fma(d, v128.load(y + at), v128.load(weights + at)))
  }
  for (; at < row; at += 4) {
    const d = v128.load32_zero(dy + at)
    v128.store_lane<f32>(bias + at, f32x4.add(v128.load32_zero(bias + at), d), 0)
    v128.store_lane<f32>(weights + at, fma(d, v128.load32_zero(y + at), v128.load32_zero(weights + at)), 0)
  }
}

/** Both. */
function addRow(dy: usize, y: usize, weight: usize, weights: usize, bias: usize, row: usize): void {
  const whole = row & ~15
  let sum4 = f32x4.splat(0)
  let along4 = f32x4.splat(0)
  let at: usize = 0
  for (; at < whole; at += 16) {
    const d = v128.load(dy + at)
    const value = v128.load(y + at)
    const t = f32x4.mul(d, v128.load(weight + at))
    v128.store(bias + at, f32x4.add(v128.load(bias + at), d))
    v128.store(weights + at, fma(d, value, v128.load(weights + at)))
    sum4 = f32x4.add(sum4, t)
    along4 = fma(t, value, along4)
  }
  sum = total4(sum4)
  along = total4(along4)
  for (; at < row; at += 4) {
    const d = v128.load32_zero(dy + at)
    const value = v128.load32_zero(y + at)
    const t = f32x4.mul(d, v128.load32_zero(weight + at))
    v128.store_lane<f32>(bias + at, f32x4.add(v128.load32_zero(bias + at), d), 0)
    v128.store_lane<f32>(weights + at, fma(d, value, v128.load32_zero(weights + at)), 0)
    sum += <f64>f32x4.extract_lane(t, 0)
    along += <f64>(f32x4.extract_lane(t, 0) * f32x4.extract_lane(value, 0))
  }
}

/** out = factor (dy weight - mean - y share). */
function slopeRow(
  dy: usize,
  y: usize,
  weight: usize,
  out: usize,
  row: usize,
  mean: f32,
  share: f32,
  factor: f32,
): void {
  const whole = row & ~15
  const mean4 = f32x4.splat(mean)
  const share4 = f32x4.splat(-share)
  const factor4 = f32x4.splat(factor)
  let at: usize = 0
  for (; at < whole; at += 16) {
    const t = f32x4.mul(v128.load(dy + at), v128.load(weight + at))
    v128.store(out + at, f32x4.mul(fma(v128.load(y + at), share4, f32x4.sub(t, mean4)), factor4))
  }
  for (; at < row; at += 4) {
    const t = f32x4.mul(v128.load32_zero(dy + at), v128.load32_zero(weight + at))
    const slope = f32x4.mul(fma(v128.load32_zero(y + at), share4, f32x4.sub(t, mean4)), factor4)
    v128.store_lane<f32>(out + at, slope, 0)
  }
}

/**
 * The gradient of `layerNorm` by x, `[examples, rows, dim]`, and for each example those by weight and bias,
 * `[examples, dim]`; y and scale are its value and scale. Where `weights` is 0, by x alone.
 */
export function layerNormGrad(
  dy: usize,
  y: usize,
  scale: usize,
  weight: usize,
  out: usize,
  weights: usize,
  bias: usize,
  examples: i32,
  rows: i32,
  dim: usize,
): void {
  const row = dim << 2
  for (let e = 0; e < examples; e++, weights += row, bias += row) {
    if (weights) memory.fill(weights, 0, row)
    if (weights) memory.fill(bias, 0, row)
    for (let r = 0; r < rows; r++, dy += row, y += row, out += row, scale += 4) {
      if (weights) addRow(dy, y, weight, weights, bias, row)
      else sumRow(dy, y, weight, row)
      const mean = <f32>(sum / <f64>dim)
      slopeRow(dy, y, weight, out, row, mean, <f32>(along / <f64>dim), load<f32>(scale))
    }
  }
}

/** What `layerNormGrad` gives by weight and bias, for the first `width` columns of each example; from other addresses, any. */
export function layerNormSums(
  dy: usize,
  y: usize,
  weights: usize,
  bias: usize,
  examples: i32,
  rows: i32,
  dim: usize,
  width: usize,
): void {
  const row = dim << 2
  const own = width << 2
  for (let e = 0; e < examples; e++, weights += row, bias += row) {
    memory.fill(weights, 0, own)
    memory.fill(bias, 0, own)
    for (let r = 0; r < rows; r++, dy += row, y += row) addColumns(dy, y, weights, bias, own)
  }
}
