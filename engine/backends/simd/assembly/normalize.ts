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

/**
 * out = (x - mean) / sqrt(variance + eps) over the last axis, `[rows, dim]`, and scale = 1 / sqrt(variance + eps),
 * `[rows]`. Two passes: the variance is that of the centred row.
 */
export function normalize(x: usize, out: usize, scale: usize, rows: i32, dim: usize, eps: f64): void {
  const row = dim << 2
  const whole = (dim & ~3) << 2
  for (let r = 0; r < rows; r++, x += row, out += row, scale += 4) {
    const mean = <f32>(rowSum(x, x + row) / <f64>dim)
    const mean4 = f32x4.splat(mean)
    let squares4 = f32x4.splat(0)
    for (let at: usize = 0; at < whole; at += 16) {
      const centred = f32x4.sub(v128.load(x + at), mean4)
      v128.store(out + at, centred)
      squares4 = f32x4.add(squares4, f32x4.mul(centred, centred))
    }
    let squares = total4(squares4)
    for (let at = whole; at < row; at += 4) {
      const centred = load<f32>(x + at) - mean
      store<f32>(out + at, centred)
      squares += <f64>(centred * centred)
    }
    const factor = <f32>(1 / Math.sqrt(squares / <f64>dim + eps))
    store<f32>(scale, factor)
    const factor4 = f32x4.splat(factor)
    for (let at: usize = 0; at < whole; at += 16) v128.store(out + at, f32x4.mul(v128.load(out + at), factor4))
    for (let at = whole; at < row; at += 4) store<f32>(out + at, load<f32>(out + at) * factor)
  }
}

/** dx = scale (dy - mean(dy) - y mean(dy y)) over the last axis, `[rows, dim]`, y and scale as `normalize` gave them. */
export function normalizeGrad(dy: usize, y: usize, scale: usize, out: usize, rows: i32, dim: usize): void {
  const row = dim << 2
  const whole = (dim & ~3) << 2
  for (let r = 0; r < rows; r++, dy += row, y += row, out += row, scale += 4) {
    let sum4 = f32x4.splat(0)
    let along4 = f32x4.splat(0)
    for (let at: usize = 0; at < whole; at += 16) {
      const d = v128.load(dy + at)
      sum4 = f32x4.add(sum4, d)
      along4 = f32x4.add(along4, f32x4.mul(d, v128.load(y + at)))
    }
    let sum = total4(sum4)
    let along = total4(along4)
    for (let at = whole; at < row; at += 4) {
      sum += <f64>load<f32>(dy + at)
      along += <f64>(load<f32>(dy + at) * load<f32>(y + at))
    }
    const mean = <f32>(sum / <f64>dim)
    const share = <f32>(along / <f64>dim)
    const factor = load<f32>(scale)
    const mean4 = f32x4.splat(mean)
    const share4 = f32x4.splat(share)
    const factor4 = f32x4.splat(factor)
    for (let at: usize = 0; at < whole; at += 16) {
      const left = f32x4.sub(v128.load(dy + at), mean4)
      v128.store(out + at, f32x4.mul(f32x4.sub(left, f32x4.mul(v128.load(y + at), share4)), factor4))
    }
    for (let at = whole; at < row; at += 4) {
      store<f32>(out + at, (load<f32>(dy + at) - mean - load<f32>(y + at) * share) * factor)
    }
  }
}
