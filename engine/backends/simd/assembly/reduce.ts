// Sums and maxima of `[outer, reduced, inner]` over the middle axis. The order of the terms depends on `reduced` alone,
// so that an element does not depend on its neighbours or on how the outer axis is shared out.

/** Bytes whose float32 sum is taken before it goes into a float64 total: 1,024 elements. */
const ROW_BLOCK: usize = 4096
/** Bytes of a strip of columns, which stays in the L1 cache. */
const STRIP: usize = 4096

/** The sum of the elements from x to end. */
@inline
export function rowSum(x: usize, end: usize): f64 {
  let total: f64 = 0
  while (x < end) {
    const stop = min(x + ROW_BLOCK, end)
    const wide = x + ((stop - x) & ~63)
    const whole = x + ((stop - x) & ~15)
    let s0 = f32x4.splat(0)
    let s1 = s0
    let s2 = s0
    let s3 = s0
    for (; x < wide; x += 64) {
      s0 = f32x4.add(s0, v128.load(x))
      s1 = f32x4.add(s1, v128.load(x, 16))
      s2 = f32x4.add(s2, v128.load(x, 32))
      s3 = f32x4.add(s3, v128.load(x, 48))
    }
    for (; x < whole; x += 16) s0 = f32x4.add(s0, v128.load(x))
    const sum = f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3))
    let last = <f64>f32x4.extract_lane(sum, 0) + <f64>f32x4.extract_lane(sum, 1)
    last += <f64>f32x4.extract_lane(sum, 2) + <f64>f32x4.extract_lane(sum, 3)
    for (; x < stop; x += 4) last += <f64>load<f32>(x)
    total += last
  }
  return total
}

/** The larger lane; NaN in b is passed over. One instruction, where f32x4.max takes many. */
@inline
function larger(a: v128, b: v128): v128 {
  return f32x4.pmax(a, b)
}

/** The largest element from x to end, NaN passed over; -Infinity where there is none. */
@inline
export function rowMax(x: usize, end: usize): f32 {
  const wide = x + ((end - x) & ~63)
  const whole = x + ((end - x) & ~15)
  let m0 = f32x4.splat(-Infinity)
  let m1 = m0
  let m2 = m0
  let m3 = m0
  for (; x < wide; x += 64) {
    m0 = larger(m0, v128.load(x))
    m1 = larger(m1, v128.load(x, 16))
    m2 = larger(m2, v128.load(x, 32))
    m3 = larger(m3, v128.load(x, 48))
  }
  for (; x < whole; x += 16) m0 = larger(m0, v128.load(x))
  for (; x < end; x += 4) m0 = larger(m0, v128.load32_splat(x))
  m0 = larger(larger(m0, m1), larger(m2, m3))
  m0 = larger(m0, v128.shuffle<i32>(m0, m0, 2, 3, 0, 1))
  return max(f32x4.extract_lane(m0, 0), f32x4.extract_lane(m0, 1))
}

/** The smaller lane, in the same way. */
@inline
function smaller(a: v128, b: v128): v128 {
  return f32x4.pmin(a, b)
}

/** The smallest element from x to end, NaN passed over; Infinity where there is none. */
@inline
export function rowMin(x: usize, end: usize): f32 {
  const wide = x + ((end - x) & ~31)
  const whole = x + ((end - x) & ~15)
  let m0 = f32x4.splat(Infinity)
  let m1 = m0
  for (; x < wide; x += 32) {
    m0 = smaller(m0, v128.load(x))
    m1 = smaller(m1, v128.load(x, 16))
  }
  for (; x < whole; x += 16) m0 = smaller(m0, v128.load(x))
  for (; x < end; x += 4) m0 = smaller(m0, v128.load32_splat(x))
  m0 = smaller(m0, m1)
  m0 = smaller(m0, v128.shuffle<i32>(m0, m0, 2, 3, 0, 1))
  return min(f32x4.extract_lane(m0, 0), f32x4.extract_lane(m0, 1))
}

/** Whether there is a NaN from x to end. */
@inline
function hasNaN(x: usize, end: usize): bool {
  const whole = x + ((end - x) & ~15)
  let found = i32x4.splat(0)
  for (; x < whole; x += 16) {
    const lanes = v128.load(x)
    found = v128.or(found, f32x4.ne(lanes, lanes))
  }
  for (; x < end; x += 4) {
    const lanes = v128.load32_splat(x)
    found = v128.or(found, f32x4.ne(lanes, lanes))
  }
  return v128.any_true(found)
}

/** The sum of eight rows that lie `row` bytes apart. */
@inline
function eight(x: usize, row: usize): v128 {
  const a = f32x4.add(v128.load(x), v128.load(x + row))
  const b = f32x4.add(v128.load(x + 2 * row), v128.load(x + 3 * row))
  x += 4 * row
  const c = f32x4.add(v128.load(x), v128.load(x + row))
  const d = f32x4.add(v128.load(x + 2 * row), v128.load(x + 3 * row))
  return f32x4.add(f32x4.add(a, b), f32x4.add(c, d))
}

/** The same of single elements, in the same order. */
@inline
function eightOfOne(x: usize, row: usize): f32 {
  const a = load<f32>(x) + load<f32>(x + row)
  const b = load<f32>(x + 2 * row) + load<f32>(x + 3 * row)
  x += 4 * row
  const c = load<f32>(x) + load<f32>(x + row)
  const d = load<f32>(x + 2 * row) + load<f32>(x + 3 * row)
  return a + b + (c + d)
}

/** out = sum over `reduced` rows of x / divisor for `width` bytes of columns; rows lie `row` bytes apart. */
function stripSums(x: usize, out: usize, reduced: i32, row: usize, width: usize, divisor: f32): void {
  const whole = width & ~15
  memory.fill(out, 0, width)
  let left = reduced
  for (; left >= 8; left -= 8) {
    let j: usize = 0
    for (; j < whole; j += 16) v128.store(out + j, f32x4.add(v128.load(out + j), eight(x + j, row)))
    for (; j < width; j += 4) store<f32>(out + j, load<f32>(out + j) + eightOfOne(x + j, row))
    x += 8 * row
  }
  for (; left > 0; left--) {
    let j: usize = 0
    for (; j < whole; j += 16) v128.store(out + j, f32x4.add(v128.load(out + j), v128.load(x + j)))
    for (; j < width; j += 4) store<f32>(out + j, load<f32>(out + j) + load<f32>(x + j))
    x += row
  }
  if (divisor == 1) return
  const below = f32x4.splat(divisor)
  let j: usize = 0
  for (; j < whole; j += 16) v128.store(out + j, f32x4.div(v128.load(out + j), below))
  for (; j < width; j += 4) store<f32>(out + j, load<f32>(out + j) / divisor)
}

/**
 * out = sum over the middle axis of x, divided by `divisor`: `[outer, reduced, inner]` to `[outer, inner]`. With an
 * inner axis of more than 1, at most some thousand rows at a time keep the sums accurate.
 */
export function sum(x: usize, out: usize, outer: i32, reduced: i32, inner: usize, divisor: f32): void {
  sumColumns(x, out, outer, reduced, inner, inner, divisor)
}

/** `sum` of only the first `width` of the inner indices; from other addresses, any of them. */
export function sumColumns(
  x: usize,
  out: usize,
  outer: i32,
  reduced: i32,
  inner: usize,
  width: usize,
  divisor: f32,
): void {
  if (inner == 1) {
    const row = (<usize>reduced) << 2
    for (let i = 0; i < outer; i++, x += row, out += 4) store<f32>(out, <f32>(rowSum(x, x + row) / <f64>divisor))
    return
  }
  const row = inner << 2
  const end = width << 2
  for (let i = 0; i < outer; i++, x += row * reduced, out += row) {
    for (let j: usize = 0; j < end; j += STRIP) stripSums(x + j, out + j, reduced, row, min(STRIP, end - j), divisor)
  }
}

/** out = largest of `reduced` rows for `width` bytes of columns. */
function stripMaxima(x: usize, out: usize, reduced: i32, row: usize, width: usize): void {
  const whole = width & ~15
  memory.copy(out, x, width)
  for (let i = 1; i < reduced; i++) {
    x += row
    let j: usize = 0
    for (; j < whole; j += 16) v128.store(out + j, f32x4.max(v128.load(out + j), v128.load(x + j)))
    for (; j < width; j += 4) store<f32>(out + j, max(load<f32>(out + j), load<f32>(x + j)))
  }
}

/** out = largest over the middle axis of x, `[outer, reduced, inner]` to `[outer, inner]`; `reduced` is at least 1. */
export function maximum(x: usize, out: usize, outer: i32, reduced: i32, inner: usize): void {
  maximumColumns(x, out, outer, reduced, inner, inner)
}

/** `maximum` of only the first `width` of the inner indices. */
export function maximumColumns(x: usize, out: usize, outer: i32, reduced: i32, inner: usize, width: usize): void {
  if (inner == 1) {
    const row = (<usize>reduced) << 2
    for (let i = 0; i < outer; i++, x += row, out += 4) store<f32>(out, hasNaN(x, x + row) ? NaN : rowMax(x, x + row))
    return
  }
  const row = inner << 2
  const end = width << 2
  for (let i = 0; i < outer; i++, x += row * reduced, out += row) {
    for (let j: usize = 0; j < end; j += STRIP) stripMaxima(x + j, out + j, reduced, row, min(STRIP, end - j))
  }
}
