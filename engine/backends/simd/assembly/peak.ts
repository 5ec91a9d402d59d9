import { fma } from './fma'

/** So little that the sums stay finite; loaded from memory, since V8 would make a constant anew at every use. */
const FACTOR = memory.data<f32>([1e-12])

/**
 * Multiplies and adds in registers alone, as fast as the machine can: 12 sums of 4 lanes that do not wait for each other,
 * 96 operations an iteration. Each sum is a factor of its own product, so that nothing can be moved out of the loop.
 */
export function fmaPeak(iterations: i32): f32 {
  const m = v128.load32_splat(FACTOR)
  let a = f32x4.splat(1)
  let b = a
  let c = a
  let d = a
  let e = a
  let f = a
  let g = a
  let h = a
  let i = a
  let j = a
  let k = a
  let l = a
  for (let left = iterations; left > 0; left--) {
    a = fma(a, m, a)
    b = fma(b, m, b)
    c = fma(c, m, c)
    d = fma(d, m, d)
    e = fma(e, m, e)
    f = fma(f, m, f)
    g = fma(g, m, g)
    h = fma(h, m, h)
    i = fma(i, m, i)
    j = fma(j, m, j)
    k = fma(k, m, k)
    l = fma(l, m, l)
  }
  const sums = f32x4.add(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)), f32x4.add(f32x4.add(e, f), f32x4.add(g, h)))
  return f32x4.extract_lane(f32x4.add(sums, f32x4.add(f32x4.add(i, j), f32x4.add(k, l))), 0)
}
