// exp, erf, tanh and the sigmoid of four float32 at once, without branches: within 2 units in the last place where the
// result is a normal number. NaN gives NaN. Constants are loaded, not splat: that keeps registers free in loops.
import { fma } from './fma'

const C = memory.data<f32>([
  88.8, 88.8, 88.8, 88.8, // 0: above this exp is infinite
  -104, -104, -104, -104, // 16: below this exp is 0
  1.44269504, 1.44269504, 1.44269504, 1.44269504, // 32: log2(e)
  12582912, 12582912, 12582912, 12582912, // 48: 1.5 * 2^23, rounds to an integer when added
  -0.693359375, -0.693359375, -0.693359375, -0.693359375, // 64: -ln(2), high part: exact products
  2.12194440e-4, 2.12194440e-4, 2.12194440e-4, 2.12194440e-4, // 80: and low part
  1.9875691500e-4, 1.9875691500e-4, 1.9875691500e-4, 1.9875691500e-4, // 96: exp(r) = 1 + r + r^2 P(r), from Cephes
  1.3981999507e-3, 1.3981999507e-3, 1.3981999507e-3, 1.3981999507e-3, // 112
  8.3334519073e-3, 8.3334519073e-3, 8.3334519073e-3, 8.3334519073e-3, // 128
  4.1665795894e-2, 4.1665795894e-2, 4.1665795894e-2, 4.1665795894e-2, // 144
  1.6666665459e-1, 1.6666665459e-1, 1.6666665459e-1, 1.6666665459e-1, // 160
  0.5, 0.5, 0.5, 0.5, // 176
  1, 1, 1, 1, // 192
  2, 2, 2, 2, // 208
])

/** Whole numbers and masks of four lanes. */
const I = memory.data<u32>([
  0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff, // 0: all but the sign
  0x80000000, 0x80000000, 0x80000000, 0x80000000, // 16: the sign
  127, 127, 127, 127, // 32: bias of the exponent
])

/** After N. Juffa's erff: x + x P(x^2) near 0, 1 - exp(-x Q(x)) beyond. */
const E = memory.data<f32>([
  4, 4, 4, 4, // 0: from here on erf rounds to 1
  0.927734375, 0.927734375, 0.927734375, 0.927734375, // 16: where the two meet
  -1.72853470e-5, -1.72853470e-5, -1.72853470e-5, -1.72853470e-5, // 32
  3.83197126e-4, 3.83197126e-4, 3.83197126e-4, 3.83197126e-4, // 48
  -3.88396438e-3, -3.88396438e-3, -3.88396438e-3, -3.88396438e-3, // 64
  2.42546219e-2, 2.42546219e-2, 2.42546219e-2, 2.42546219e-2, // 80
  -1.06777877e-1, -1.06777877e-1, -1.06777877e-1, -1.06777877e-1, // 96
  -6.34846687e-1, -6.34846687e-1, -6.34846687e-1, -6.34846687e-1, // 112
  -1.28717512e-1, -1.28717512e-1, -1.28717512e-1, -1.28717512e-1, // 128
  -5.96761703e-4, -5.96761703e-4, -5.96761703e-4, -5.96761703e-4, // 144
  4.99119423e-3, 4.99119423e-3, 4.99119423e-3, 4.99119423e-3, // 160
  -2.67681349e-2, -2.67681349e-2, -2.67681349e-2, -2.67681349e-2, // 176
  1.12819925e-1, 1.12819925e-1, 1.12819925e-1, 1.12819925e-1, // 192
  -3.76125336e-1, -3.76125336e-1, -3.76125336e-1, -3.76125336e-1, // 208
  1.28379166e-1, 1.28379166e-1, 1.28379166e-1, 1.28379166e-1, // 224
])

/** From Cephes: x + x^3 P(x^2) near 0, 1 - 2 / (exp(2 x) + 1) beyond. */
const T = memory.data<f32>([
  0.625, 0.625, 0.625, 0.625, // 0: where the two meet
  -5.70498872745e-3, -5.70498872745e-3, -5.70498872745e-3, -5.70498872745e-3, // 16
  2.06390887954e-2, 2.06390887954e-2, 2.06390887954e-2, 2.06390887954e-2, // 32
  -5.37397155531e-2, -5.37397155531e-2, -5.37397155531e-2, -5.37397155531e-2, // 48
  1.33314422036e-1, 1.33314422036e-1, 1.33314422036e-1, 1.33314422036e-1, // 64
  -3.33332819422e-1, -3.33332819422e-1, -3.33332819422e-1, -3.33332819422e-1, // 80
])

/** The lanes of `a` where `mask` is all ones, of `b` where it is 0. */
@inline
function choose(a: v128, b: v128, mask: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_laneselect(a, b, mask)
  return v128.bitselect(a, b, mask)
}

/** |x|; by a mask, since V8 takes its time over f32x4.abs. */
@inline
export function abs4(x: v128): v128 {
  return v128.and(x, v128.load(I))
}

/** exp(r) for |r| <= ln(2) / 2, where r = x - n ln(2) and `rounded` = n + 1.5 * 2^23. */
@inline
function expReduced(x: v128, rounded: v128): v128 {
  const n = f32x4.sub(rounded, v128.load(C, 48))
  const r = fma(n, v128.load(C, 80), fma(n, v128.load(C, 64), x))
  let p = fma(v128.load(C, 96), r, v128.load(C, 112))
  p = fma(p, r, v128.load(C, 128))
  p = fma(p, r, v128.load(C, 144))
  p = fma(p, r, v128.load(C, 160))
  p = fma(p, r, v128.load(C, 176))
  return fma(p, f32x4.mul(r, r), f32x4.add(r, v128.load(C, 192)))
}

/** e^x; subnormal results too. */
@inline
export function exp4(x: v128): v128 {
  const bounded = f32x4.pmax(f32x4.pmin(x, v128.load(C)), v128.load(C, 16))
  const rounded = fma(bounded, v128.load(C, 32), v128.load(C, 48))
  const p = expReduced(bounded, rounded)
  // 2^n in two factors: alone it may be too large or too small for a float32
  const n = i32x4.sub(rounded, v128.load(C, 48))
  const half = i32x4.shr_s(n, 1)
  const first = i32x4.shl(i32x4.add(half, v128.load(I, 32)), 23)
  const second = i32x4.shl(i32x4.add(i32x4.sub(n, half), v128.load(I, 32)), 23)
  return f32x4.mul(f32x4.mul(p, first), second)
}

/** e^x for -87 <= x <= 88, at a lower price, to the same bits. */
@inline
export function expNormal4(x: v128): v128 {
  const rounded = fma(x, v128.load(C, 32), v128.load(C, 48))
  const p = expReduced(x, rounded)
  return f32x4.mul(p, i32x4.add(v128.load(C, 192), i32x4.shl(rounded, 23)))
}

/** The error function. */
@inline
export function erf4(x: v128): v128 {
  const t = f32x4.pmin(abs4(x), v128.load(E))
  const s = f32x4.mul(t, t)
  let far = fma(v128.load(E, 32), t, v128.load(E, 48))
  far = fma(far, s, fma(v128.load(E, 64), t, v128.load(E, 80)))
  far = fma(far, t, v128.load(E, 96))
  far = fma(far, t, v128.load(E, 112))
  far = fma(far, t, v128.load(E, 128))
  far = f32x4.sub(f32x4.mul(far, t), t)
  far = f32x4.sub(v128.load(C, 192), expNormal4(far))
  let near = fma(v128.load(E, 144), s, v128.load(E, 160))
  near = fma(near, s, v128.load(E, 176))
  near = fma(near, s, v128.load(E, 192))
  near = fma(near, s, v128.load(E, 208))
  near = fma(near, s, v128.load(E, 224))
  near = fma(near, t, t)
  const size = choose(far, near, f32x4.gt(t, v128.load(E, 16)))
  return v128.or(size, v128.and(x, v128.load(I, 16)))
}

/** The hyperbolic tangent. */
@inline
export function tanh4(x: v128): v128 {
  const t = abs4(x)
  const e = exp4(f32x4.add(t, t))
  const far = f32x4.sub(v128.load(C, 192), f32x4.div(v128.load(C, 208), f32x4.add(e, v128.load(C, 192))))
  const s = f32x4.mul(t, t)
  let near = fma(v128.load(T, 16), s, v128.load(T, 32))
  near = fma(near, s, v128.load(T, 48))
  near = fma(near, s, v128.load(T, 64))
  near = fma(near, s, v128.load(T, 80))
  near = fma(near, f32x4.mul(s, t), t)
  const size = choose(far, near, f32x4.gt(t, v128.load(T)))
  return v128.or(size, v128.and(x, v128.load(I, 16)))
}

/** 1 / (1 + e^-x). */
@inline
export function sigmoid4(x: v128): v128 {
  const one = v128.load(C, 192)
  return f32x4.div(one, f32x4.add(one, exp4(v128.xor(x, v128.load(I, 16)))))
}
