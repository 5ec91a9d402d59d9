// Sine and cosine of float32 by float64, two lanes at a time: an angle less whole quarters of a turn, then the polynomials of
// fdlibm (Sun Microsystems 1993) for angles of up to an eighth.

/** Larger angles, and those that are no numbers, are taken one at a time. */
const LARGEST: f32 = 65536
const QUARTERS: f64 = 0.6366197723675814 // 2 / pi
/** pi / 2 in two parts, the first of 33 bits: its products with so many quarters are exact. */
const HIGH: f64 = 1.5707963267341256
const LOW: f64 = 6.077100506506192e-11

@inline
function term(sum: v128, z: v128, coefficient: f64): v128 {
  return f64x2.add(f64x2.splat(coefficient), f64x2.mul(z, sum))
}

/** The sine of two angles in float64, or their cosine: that of angles a quarter further. */
@inline
function pair(x: v128, further: i64): v128 {
  const quarters = f64x2.nearest(f64x2.mul(x, f64x2.splat(QUARTERS)))
  const high = f64x2.sub(x, f64x2.mul(quarters, f64x2.splat(HIGH)))
  const r = f64x2.sub(high, f64x2.mul(quarters, f64x2.splat(LOW)))
  const z = f64x2.mul(r, r)

  let s = term(f64x2.splat(1.58969099521155010221e-10), z, -2.50507602534068634195e-8)
  s = term(s, z, 2.75573137070700676789e-6)
  s = term(s, z, -1.98412698298579493134e-4)
  s = term(s, z, 8.33333333332248946124e-3)
  s = term(s, z, -1.66666666666666324348e-1)
  const sine = f64x2.add(r, f64x2.mul(f64x2.mul(z, r), s))

  let c = term(f64x2.splat(-1.13596475577881948265e-11), z, 2.08757232129817482790e-9)
  c = term(c, z, -2.75573143513906633035e-7)
  c = term(c, z, 2.48015872894767294178e-5)
  c = term(c, z, -1.38888888888741095749e-3)
  c = term(c, z, 4.16666666666666019037e-2)
  const half = f64x2.mul(z, f64x2.splat(0.5))
  const one = f64x2.splat(1)
  const w = f64x2.sub(one, half)
  const rest = f64x2.sub(f64x2.sub(one, w), half)
  const cosine = f64x2.add(w, f64x2.add(rest, f64x2.mul(f64x2.mul(z, z), c)))

  // the number of quarters in the last bits: in a float64 of 1.5 * 2^52 more
  const number = i64x2.add(f64x2.add(quarters, f64x2.splat(6755399441055744)), i64x2.splat(further))
  const isOdd = i64x2.eq(v128.and(number, i64x2.splat(1)), i64x2.splat(1))
  const sign = i64x2.shl(v128.and(number, i64x2.splat(2)), 62)
  return v128.xor(v128.bitselect(cosine, sine, isOdd), sign)
}

@inline
function four(x: v128, further: i64): v128 {
  const low = f32x4.demote_f64x2_zero(pair(f64x2.promote_low_f32x4(x), further))
  const upper = i8x16.shuffle(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15)
  const high = f32x4.demote_f64x2_zero(pair(f64x2.promote_low_f32x4(upper), further))
  return i8x16.shuffle(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}

@inline
function areSmall(x: v128): bool {
  return v128.all_true<i32>(f32x4.lt(f32x4.abs(x), f32x4.splat(LARGEST)))
}

function each(x: v128, further: i64): v128 {
  let out = f32x4.splat(0)
  out = f32x4.replace_lane(out, 0, one(f32x4.extract_lane(x, 0), further))
  out = f32x4.replace_lane(out, 1, one(f32x4.extract_lane(x, 1), further))
  out = f32x4.replace_lane(out, 2, one(f32x4.extract_lane(x, 2), further))
  return f32x4.replace_lane(out, 3, one(f32x4.extract_lane(x, 3), further))
}

function one(x: f32, further: i64): f32 {
  return <f32>(further ? NativeMath.cos(x) : NativeMath.sin(x))
}

/** The sine of four lanes; that of -0 is -0. */
@inline
export function sin4(x: v128): v128 {
  return areSmall(x) ? v128.bitselect(x, four(x, 0), f32x4.eq(x, f32x4.splat(0))) : each(x, 0)
}

/** The cosine of four lanes. */
@inline
export function cos4(x: v128): v128 {
  return areSmall(x) ? four(x, 1) : each(x, 1)
}
