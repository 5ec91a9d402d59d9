// out = op(x), element by element.
import { cos4, sin4 } from './trigonometry'
import { abs4, erf4, exp4, sigmoid4, tanh4 } from './unaryMath'

/** The order of kernels/unary.ts. */
enum Op {
  Neg,
  Square,
  Sqrt,
  Rsqrt,
  Exp,
  Erf,
  Tanh,
  Sigmoid,
  Relu,
  Abs,
  Reciprocal,
  Step,
  Sin,
  Cos,
}

/** Op of four lanes; `op` is a constant where this is inlined. */
@inline
function apply(op: i32, x: v128): v128 {
  if (op == Op.Neg) return f32x4.neg(x)
  if (op == Op.Square) return f32x4.mul(x, x)
  if (op == Op.Sqrt) return f32x4.sqrt(x)
  if (op == Op.Rsqrt) return f32x4.div(f32x4.splat(1), f32x4.sqrt(x))
  if (op == Op.Exp) return exp4(x)
  if (op == Op.Erf) return erf4(x)
  if (op == Op.Tanh) return tanh4(x)
  if (op == Op.Sigmoid) return sigmoid4(x)
  if (op == Op.Relu) return f32x4.pmax(x, f32x4.splat(0))
  if (op == Op.Abs) return abs4(x)
  if (op == Op.Reciprocal) return f32x4.div(f32x4.splat(1), x)
  if (op == Op.Sin) return sin4(x)
  if (op == Op.Cos) return cos4(x)
  // NaN stays NaN: x - x is 0 or, for infinities too, NaN, so only lanes that are unequal to themselves take x
  const step = v128.and(f32x4.gt(x, f32x4.splat(0)), f32x4.splat(1))
  return v128.bitselect(step, x, f32x4.eq(x, x))
}

@inline
function each(op: i32, x: usize, out: usize, end: usize): void {
  const whole = end & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, apply(op, v128.load(x + i)))
  for (; i < end; i += 4) v128.store_lane<f32>(out + i, apply(op, v128.load32_zero(x + i)), 0)
}

/** By Op. A function for each loop: in one function with all of them V8 makes some five times slower. */
const LOOPS: StaticArray<(x: usize, out: usize, end: usize) => void> = [
  (x, out, end) => each(Op.Neg, x, out, end),
  (x, out, end) => each(Op.Square, x, out, end),
  (x, out, end) => each(Op.Sqrt, x, out, end),
  (x, out, end) => each(Op.Rsqrt, x, out, end),
  (x, out, end) => each(Op.Exp, x, out, end),
  (x, out, end) => each(Op.Erf, x, out, end),
  (x, out, end) => each(Op.Tanh, x, out, end),
  (x, out, end) => each(Op.Sigmoid, x, out, end),
  (x, out, end) => each(Op.Relu, x, out, end),
  (x, out, end) => each(Op.Abs, x, out, end),
  (x, out, end) => each(Op.Reciprocal, x, out, end),
  (x, out, end) => each(Op.Step, x, out, end),
  (x, out, end) => each(Op.Sin, x, out, end),
  (x, out, end) => each(Op.Cos, x, out, end),
]

/** out = op(x), both `[size]`; they may be the same. */
export function unary(op: i32, x: usize, out: usize, size: usize): void {
  unchecked(LOOPS[op])(x, out, size << 2)
}

/** out = ln(x), both `[size]`. One at a time: training takes it of one value per row only. */
export function logarithm(x: usize, out: usize, size: usize): void {
  const end = size << 2
  for (let i: usize = 0; i < end; i += 4) store<f32>(out + i, <f32>NativeMath.log(load<f32>(x + i)))
}
