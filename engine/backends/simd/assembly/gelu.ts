// GELU by its own approximation of Phi, the share of a standard normal below x: 1/2 + x P(x^2) / Q(x^2) for |x| <= 5.6,
// within 1.4e-7, which is what a float32 near 1 can tell. One division costs less than an exponential.
import { fma } from './fma'

/** Constants are loaded, not splat: that keeps registers free in loops. */
const C = memory.data<f32>([
  5.6, 5.6, 5.6, 5.6, // 0: beyond, Phi counts as 0 or 1
  -5.6, -5.6, -5.6, -5.6, // 16
  2.21458922e-8, 2.21458922e-8, 2.21458922e-8, 2.21458922e-8, // 32: P
  6.3564111e-6, 6.3564111e-6, 6.3564111e-6, 6.3564111e-6, // 48
  1.73839059e-4, 1.73839059e-4, 1.73839059e-4, 1.73839059e-4, // 64
  4.70718704e-3, 4.70718704e-3, 4.70718704e-3, 4.70718704e-3, // 80
  3.43750029e-2, 3.43750029e-2, 3.43750029e-2, 3.43750029e-2, // 96
  0.398942222, 0.398942222, 0.398942222, 0.398942222, // 112
  1.1802202e-6, 1.1802202e-6, 1.1802202e-6, 1.1802202e-6, // 128: Q
  7.50979852e-5, 7.50979852e-5, 7.50979852e-5, 7.50979852e-5, // 144
  1.9129118e-3, 1.9129118e-3, 1.9129118e-3, 1.9129118e-3, // 160
  2.89394438e-2, 2.89394438e-2, 2.89394438e-2, 2.89394438e-2, // 176
  0.252831068, 0.252831068, 0.252831068, 0.252831068, // 192
  1, 1, 1, 1, // 208
  0.5, 0.5, 0.5, 0.5, // 224
  -0.721347520, -0.721347520, -0.721347520, -0.721347520, // 240: -log2(e) / 2
  12582912, 12582912, 12582912, 12582912, // 256: 1.5 * 2^23, rounds to an integer when added
  5.34605230e-4, 5.34605230e-4, 5.34605230e-4, 5.34605230e-4, // 272: 2^f / sqrt(2 pi)
  3.86022660e-3, 3.86022660e-3, 3.86022660e-3, 3.86022660e-3, // 288
  2.21426003e-2, 2.21426003e-2, 2.21426003e-2, 2.21426003e-2, // 304
  9.58343372e-2, 9.58343372e-2, 9.58343372e-2, 9.58343372e-2, // 320
  0.276525736, 0.276525736, 0.276525736, 0.276525736, // 336
  0.398942322, 0.398942322, 0.398942322, 0.398942322, // 352
])

/** In this order of operands NaN stays NaN. */
@inline
function bounded4(x: v128): v128 {
  return f32x4.pmax(f32x4.pmin(x, v128.load(C)), v128.load(C, 16))
}

/** Phi(x) for a bounded x and its square. */
@inline
function phi4(x: v128, s: v128): v128 {
  let p = fma(v128.load(C, 32), s, v128.load(C, 48))
  let q = fma(v128.load(C, 128), s, v128.load(C, 144))
  p = fma(p, s, v128.load(C, 64))
  q = fma(q, s, v128.load(C, 160))
  p = fma(p, s, v128.load(C, 80))
  q = fma(q, s, v128.load(C, 176))
  p = fma(p, s, v128.load(C, 96))
  q = fma(q, s, v128.load(C, 192))
  p = fma(p, s, v128.load(C, 112))
  q = fma(q, s, v128.load(C, 208))
  const phi = f32x4.add(v128.load(C, 224), f32x4.div(f32x4.mul(x, p), q))
  return f32x4.pmax(phi, f32x4.splat(0)) // a tiny negative share would be large times x
}

/** The density at a number whose square is s: 2^(-s log2(e) / 2) / sqrt(2 pi), within 1e-7. */
@inline
function density4(s: v128): v128 {
  const rounded = fma(s, v128.load(C, 240), v128.load(C, 256))
  const f = fma(s, v128.load(C, 240), f32x4.sub(v128.load(C, 256), rounded))
  let p = fma(v128.load(C, 272), f, v128.load(C, 288))
  p = fma(p, f, v128.load(C, 304))
  p = fma(p, f, v128.load(C, 320))
  p = fma(p, f, v128.load(C, 336))
  p = fma(p, f, v128.load(C, 352))
  return i32x4.add(p, i32x4.shl(rounded, 23)) // 2^n by way of the exponent
}

@inline
function gelu4(x: v128): v128 {
  const t = bounded4(x)
  return f32x4.mul(x, phi4(t, f32x4.mul(t, t)))
}

/** Phi(x) + x phi(x), the slope of GELU. */
@inline
function slope4(x: v128): v128 {
  const t = bounded4(x)
  const s = f32x4.mul(t, t)
  return fma(t, density4(s), phi4(t, s))
}

/** out = x Phi(x), `[size]`: exact GELU. */
export function gelu(x: usize, out: usize, size: usize): void {
  const end = x + (size << 2)
  const whole = x + ((size & ~3) << 2)
  for (; x < whole; x += 16, out += 16) v128.store(out, gelu4(v128.load(x)))
  for (; x < end; x += 4, out += 4) v128.store_lane<f32>(out, gelu4(v128.load32_splat(x)), 0)
}

/** out = dy (Phi(x) + x phi(x)), `[size]`: the gradient of GELU. */
export function geluGrad(dy: usize, x: usize, out: usize, size: usize): void {
  const end = x + (size << 2)
  const whole = x + ((size & ~3) << 2)
  for (; x < whole; x += 16, dy += 16, out += 16) {
    v128.store(out, f32x4.mul(v128.load(dy), slope4(v128.load(x))))
  }
  for (; x < end; x += 4, dy += 4, out += 4) {
    v128.store_lane<f32>(out, f32x4.mul(v128.load32_splat(dy), slope4(v128.load32_splat(x))), 0)
  }
}

/** out = x Phi(x) and slope = Phi(x) + x phi(x), `[size]`, with the bits of the two above. */
export function geluSlope(x: usize, out: usize, slope: usize, size: usize): void {
  const end = x + (size << 2)
  const whole = x + ((size & ~3) << 2)
  for (; x < whole; x += 16, out += 16, slope += 16) {
    const v = v128.load(x)
    const t = bounded4(v)
    const s = f32x4.mul(t, t)
    const phi = phi4(t, s)
    v128.store(out, f32x4.mul(v, phi))
    v128.store(slope, fma(t, density4(s), phi))
  }
  for (; x < end; x += 4, out += 4, slope += 4) {
    const v = v128.load32_splat(x)
    v128.store_lane<f32>(out, gelu4(v), 0)
    v128.store_lane<f32>(slope, slope4(v), 0)
  }
}
