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

// A function for each loop: in one function with all of them V8 makes some five times slower.
function addBoth(a: usize, b: usize, out: usize, end: usize): void {
  both(Op.Add, a, b, out, end)
}
function addLeft(a: usize, b: usize, out: usize, end: usize): void {
  leftConstant(Op.Add, a, b, out, end)
}
function addRight(a: usize, b: usize, out: usize, end: usize): void {
  rightConstant(Op.Add, a, b, out, end)
}
function subBoth(a: usize, b: usize, out: usize, end: usize): void {
  both(Op.Sub, a, b, out, end)
}
function subLeft(a: usize, b: usize, out: usize, end: usize): void {
  leftConstant(Op.Sub, a, b, out, end)
}
function subRight(a: usize, b: usize, out: usize, end: usize): void {
  rightConstant(Op.Sub, a, b, out, end)
}
function multiplyBoth(a: usize, b: usize, out: usize, end: usize): void {
  both(Op.Multiply, a, b, out, end)
}
function multiplyLeft(a: usize, b: usize, out: usize, end: usize): void {
  leftConstant(Op.Multiply, a, b, out, end)
}
function multiplyRight(a: usize, b: usize, out: usize, end: usize): void {
  rightConstant(Op.Multiply, a, b, out, end)
}
function realDivBoth(a: usize, b: usize, out: usize, end: usize): void {
  both(Op.RealDiv, a, b, out, end)
}
function realDivLeft(a: usize, b: usize, out: usize, end: usize): void {
  leftConstant(Op.RealDiv, a, b, out, end)
}
function realDivRight(a: usize, b: usize, out: usize, end: usize): void {
  rightConstant(Op.RealDiv, a, b, out, end)
}
function maximumBoth(a: usize, b: usize, out: usize, end: usize): void {
  both(Op.Maximum, a, b, out, end)
}
function maximumLeft(a: usize, b: usize, out: usize, end: usize): void {
  leftConstant(Op.Maximum, a, b, out, end)
}
function maximumRight(a: usize, b: usize, out: usize, end: usize): void {
  rightConstant(Op.Maximum, a, b, out, end)
}
function minimumBoth(a: usize, b: usize, out: usize, end: usize): void {
  both(Op.Minimum, a, b, out, end)
}
function minimumLeft(a: usize, b: usize, out: usize, end: usize): void {
  leftConstant(Op.Minimum, a, b, out, end)
}
function minimumRight(a: usize, b: usize, out: usize, end: usize): void {
  rightConstant(Op.Minimum, a, b, out, end)
}
function squaredDifferenceBoth(a: usize, b: usize, out: usize, end: usize): void {
  both(Op.SquaredDifference, a, b, out, end)
}
function squaredDifferenceLeft(a: usize, b: usize, out: usize, end: usize): void {
  leftConstant(Op.SquaredDifference, a, b, out, end)
}
function squaredDifferenceRight(a: usize, b: usize, out: usize, end: usize): void {
  rightConstant(Op.SquaredDifference, a, b, out, end)
}

type Loop = (a: usize, b: usize, out: usize, end: usize) => void

/** By Op: where both move, where a is constant, where b is. */
const LOOPS: StaticArray<Loop> = [
  addBoth,
  addLeft,
  addRight,
  subBoth,
  subLeft,
  subRight,
  multiplyBoth,
  multiplyLeft,
  multiplyRight,
  realDivBoth,
  realDivLeft,
  realDivRight,
  maximumBoth,
  maximumLeft,
  maximumRight,
  minimumBoth,
  minimumLeft,
  minimumRight,
  squaredDifferenceBoth,
  squaredDifferenceLeft,
  squaredDifferenceRight,
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
  const loop = unchecked(LOOPS[op * 3 + (a3 == b3 ? 0 : a3 == 0 ? 1 : 2)])
  for (let i = 0; i < n0; i++) {
    for (let j = 0; j < n1; j++) {
      let left = a + (((<usize>i) * a0 + (<usize>j) * a1) << 2)
      let right = b + (((<usize>i) * b0 + (<usize>j) * b1) << 2)
      for (let k = 0; k < n2; k++) {
        loop(left, right, out, end)
        out += end
        left += a2 << 2
        right += b2 << 2
      }
    }
  }
}
