import { erf4, expNormal4 } from './unaryMath'

const SQRT_HALF: f32 = 0.7071067811865476
const DENSITY_AT_ZERO: f32 = 0.3989422804014327 // 1 / sqrt(2 pi)
const LOWEST: f32 = -87 // e to this is still a normal number; below, the density counts as 0

/** Phi(x), the share of a standard normal below x. */
@inline
function phi4(x: v128): v128 {
  const half = f32x4.splat(0.5)
  return f32x4.add(half, f32x4.mul(half, erf4(f32x4.mul(x, f32x4.splat(SQRT_HALF)))))
}

@inline
function slope4(x: v128): v128 {
  const exponent = f32x4.pmax(f32x4.splat(LOWEST), f32x4.mul(f32x4.mul(x, x), f32x4.splat(-0.5)))
  const density = f32x4.mul(f32x4.splat(DENSITY_AT_ZERO), expNormal4(exponent))
  return f32x4.add(phi4(x), f32x4.mul(x, density))
}

/** out = x Phi(x), `[size]`: exact GELU. */
export function gelu(x: usize, out: usize, size: usize): void {
  const end = x + (size << 2)
  const whole = x + ((size & ~3) << 2)
  for (; x < whole; x += 16, out += 16) {
    const v = v128.load(x)
    v128.store(out, f32x4.mul(v, phi4(v)))
  }
  for (; x < end; x += 4, out += 4) {
    const v = v128.load32_splat(x)
    v128.store_lane<f32>(out, f32x4.mul(v, phi4(v)), 0)
  }
}

/** out = dy (Phi(x) + x phi(x)), `[size]`: the gradient of GELU. */
export function geluGrad(dy: usize, x: usize, out: usize, size: usize): void {
  const end = x + (size << 2)
  const whole = x + ((size & ~3) << 2)
  for (; x < whole; x += 16, dy += 16, out += 16) {
    v128.store(out, f32x4.mul(v128.load(dy), slope4(v128.load(x))))
  }
  for (; x < end; x += 4, dy += 4, out += 4) {
    const slope = slope4(v128.load32_splat(x))
    v128.store_lane<f32>(out, f32x4.mul(v128.load32_splat(dy), slope), 0)
  }
}
