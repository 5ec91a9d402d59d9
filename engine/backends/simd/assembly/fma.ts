/** a b + c in each lane: rounded once in the relaxed build where the machine can, twice in the strict one. */
@inline
export function fma(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c)
  return f32x4.add(f32x4.mul(a, b), c)
}
