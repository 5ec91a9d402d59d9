// out = op(a, b) with broadcasting over up to four axes.

/** The order of kernels/binary.ts. */
enum Op {
  Add,
  Sub,
  Multiply,
  RealDiv,
  Maximum,
  Minimum,
  SquaredDifference,
  MaskGreater,
  MaskGreaterEqual,
  MaskEqual,
  MaskNotEqual,
}

/** Op of four lanes; `op` is a constant where this is inlined. */
@inline
function apply(op: i32, a: v128, b: v128): v128 {
  if (op == Op.Add) return f32x4.add(a, b)
  if (op == Op.Sub) return f32x4.sub(a, b)
  if (op == Op.Multiply) return f32x4.mul(a, b)
  if (op == Op.RealDiv) return f32x4.div(a, b)
  if (op == Op.Maximum) return f32x4.max(a, b)
  if (op == Op.Minimum) return f32x4.min(a, b)
  if (op == Op.MaskGreater) return v128.and(f32x4.gt(a, b), f32x4.splat(1))
  if (op == Op.MaskGreaterEqual) return v128.and(f32x4.ge(a, b), f32x4.splat(1))
  if (op == Op.MaskEqual) return v128.and(f32x4.eq(a, b), f32x4.splat(1))
  if (op == Op.MaskNotEqual) return v128.and(f32x4.ne(a, b), f32x4.splat(1))
  const difference = f32x4.sub(a, b)
  return f32x4.mul(difference, difference)
}

@inline
function both(op: i32, a: usize, b: usize, out: usize, end: usize): void {
  const whole = end & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, apply(op, v128.load(a + i), v128.load(b + i)))
  for (; i < end; i += 4) {
    v128.store_lane<f32>(out + i, apply(op, v128.load32_zero(a + i), v128.load32_zero(b + i)), 0)
  }
}

@inline
function leftConstant(op: i32, a: usize, b: usize, out: usize, end: usize): void {
  const whole = end & ~15
  const left = v128.load32_splat(a)
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, apply(op, left, v128.load(b + i)))
  for (; i < end; i += 4) v128.store_lane<f32>(out + i, apply(op, left, v128.load32_zero(b + i)), 0)
}

@inline
function rightConstant(op: i32, a: usize, b: usize, out: usize, end: usize): void {
  const whole = end & ~15
  const right = v128.load32_splat(b)
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, apply(op, v128.load(a + i), right))
  for (; i < end; i += 4) v128.store_lane<f32>(out + i, apply(op, v128.load32_zero(a + i), right), 0)
}

/** For rows of a that lie side by side and the one row b: 16 columns at a time, of all rows. */
@inline
function rowsOf(op: i32, a: usize, b: usize, out: usize, row: usize, end: usize): void {
  let c: usize = 0
  for (; c + 64 <= row; c += 64) {
    const b0 = v128.load(b + c)
    const b1 = v128.load(b + c, 16)
    const b2 = v128.load(b + c, 32)
    const b3 = v128.load(b + c, 48)
    for (let i = c; i < end; i += row) {
      v128.store(out + i, apply(op, v128.load(a + i), b0))
      v128.store(out + i, apply(op, v128.load(a + i, 16), b1), 16)
      v128.store(out + i, apply(op, v128.load(a + i, 32), b2), 32)
      v128.store(out + i, apply(op, v128.load(a + i, 48), b3), 48)
    }
  }
  for (; c + 16 <= row; c += 16) {
    const right = v128.load(b + c)
    for (let i = c; i < end; i += row) v128.store(out + i, apply(op, v128.load(a + i), right))
  }
  for (; c < row; c += 4) {
    const right = v128.load32_zero(b + c)
    for (let i = c; i < end; i += row) v128.store_lane<f32>(out + i, apply(op, v128.load32_zero(a + i), right), 0)
  }
}

type RowLoop = (a: usize, b: usize, out: usize, row: usize, end: usize) => void

/** By Op. */
const ROWS: StaticArray<RowLoop> = [
  (a, b, out, row, end) => rowsOf(Op.Add, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.Sub, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.Multiply, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.RealDiv, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.Maximum, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.Minimum, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.SquaredDifference, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.MaskGreater, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.MaskGreaterEqual, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.MaskEqual, a, b, out, row, end),
  (a, b, out, row, end) => rowsOf(Op.MaskNotEqual, a, b, out, row, end),
]

/** Bytes of a row above which a call for each row costs little. */
const SHORT: usize = 128

type Loop = (a: usize, b: usize, out: usize, end: usize) => void

/**
 * By Op: where both move, where a is constant, where b is. A function for each loop: in one function with all of them V8
 * makes some five times slower.
 */
const LOOPS: StaticArray<Loop> = [
  (a, b, out, end) => both(Op.Add, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.Add, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.Add, a, b, out, end),
  (a, b, out, end) => both(Op.Sub, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.Sub, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.Sub, a, b, out, end),
  (a, b, out, end) => both(Op.Multiply, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.Multiply, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.Multiply, a, b, out, end),
  (a, b, out, end) => both(Op.RealDiv, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.RealDiv, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.RealDiv, a, b, out, end),
  (a, b, out, end) => both(Op.Maximum, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.Maximum, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.Maximum, a, b, out, end),
  (a, b, out, end) => both(Op.Minimum, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.Minimum, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.Minimum, a, b, out, end),
  (a, b, out, end) => both(Op.SquaredDifference, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.SquaredDifference, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.SquaredDifference, a, b, out, end),
  (a, b, out, end) => both(Op.MaskGreater, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.MaskGreater, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.MaskGreater, a, b, out, end),
  (a, b, out, end) => both(Op.MaskGreaterEqual, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.MaskGreaterEqual, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.MaskGreaterEqual, a, b, out, end),
  (a, b, out, end) => both(Op.MaskEqual, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.MaskEqual, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.MaskEqual, a, b, out, end),
  (a, b, out, end) => both(Op.MaskNotEqual, a, b, out, end),
  (a, b, out, end) => leftConstant(Op.MaskNotEqual, a, b, out, end),
  (a, b, out, end) => rightConstant(Op.MaskNotEqual, a, b, out, end),
]

/**
 * out = op(a, b), `[n0, n1, n2, n3]` without gaps. The steps of a and b count elements from index to index of each
 * axis, 0 where it is broadcast; those of the last axis are 0 or 1, and not both 0.
 */
export function binary(
  op: i32,
  a: usize,
  b: usize,
  out: usize,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: usize,
  a0: usize,
  a1: usize,
  a2: usize,
  a3: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
): void {
  const end = n3 << 2
  const isShort = end <= SHORT && a2 == n3 && b2 == 0 && a3 == 1 && b3 == 1
  const loop = unchecked(LOOPS[op * 3 + (a3 == b3 ? 0 : a3 == 0 ? 1 : 2)])
  for (let i = 0; i < n0; i++) {
    for (let j = 0; j < n1; j++) {
      let left = a + (((<usize>i) * a0 + (<usize>j) * a1) << 2)
      let right = b + (((<usize>i) * b0 + (<usize>j) * b1) << 2)
      if (isShort) {
        unchecked(ROWS[op])(left, right, out, end, end * n2)
        out += end * n2
        continue
      }
      for (let k = 0; k < n2; k++) {
        loop(left, right, out, end)
        out += end
        left += a2 << 2
        right += b2 << 2
      }
    }
  }
}
