import { rowMax } from './reduce'
import { exp4 } from './unaryMath'

/** The sum of exp(x - shift) from x to end, in float64 for each block of a row. */
function expSum(x: usize, end: usize, shift: f32): f64 {
  const largest = f32x4.splat(shift)
  let total: f64 = 0
  while (x < end) {
    const stop = min(x + BLOCK, end)
    const whole = x + ((stop - x) & ~15)
    let sum = f32x4.splat(0)
    for (; x < whole; x += 16) sum = f32x4.add(sum, exp4(f32x4.sub(v128.load(x), largest)))
    total += <f64>f32x4.extract_lane(sum, 0) + <f64>f32x4.extract_lane(sum, 1)
    total += <f64>f32x4.extract_lane(sum, 2) + <f64>f32x4.extract_lane(sum, 3)
    for (; x < stop; x += 4) total += <f64>f32x4.extract_lane(exp4(f32x4.sub(v128.load32_splat(x), largest)), 0)
  }
  return total
}

/** Bytes whose sum is taken in float32. */
const BLOCK: usize = 4096

/**
 * loss = -log softmax(x)[label] of each row of x, `[rows, classes]`, and normaliser = log sum exp(x), both `[rows]`. A
 * label that is no class has loss 0.
 */
export function crossEntropy(x: usize, labels: usize, loss: usize, normaliser: usize, rows: i32, classes: u32): void {
  const row = (<usize>classes) << 2
  for (let i = 0; i < rows; i++, x += row, labels += 4, loss += 4, normaliser += 4) {
    const largest = rowMax(x, x + row)
    const scale = <f32>(<f64>largest + NativeMath.log(expSum(x, x + row, largest)))
    const label = load<u32>(labels)
    store<f32>(normaliser, scale)
    store<f32>(loss, label < classes ? scale - load<f32>(x + ((<usize>label) << 2)) : 0)
  }
}

function softmaxRow(x: usize, out: usize, row: usize, normaliser: f32, factor: f32): void {
  const whole = row & ~15
  const shift = f32x4.splat(normaliser)
  const factor4 = f32x4.splat(factor)
  let j: usize = 0
  for (; j < whole; j += 16) v128.store(out + j, f32x4.mul(exp4(f32x4.sub(v128.load(x + j), shift)), factor4))
  for (; j < row; j += 4) {
    v128.store_lane<f32>(out + j, f32x4.mul(exp4(f32x4.sub(v128.load32_splat(x + j), shift)), factor4), 0)
  }
}

/** out = dy (softmax(x) - onehot(label)), the gradient of `crossEntropy` by x; dy `[rows]`. */
export function crossEntropyGrad(
  dy: usize,
  x: usize,
  labels: usize,
  normaliser: usize,
  out: usize,
  rows: i32,
  classes: u32,
): void {
  const row = (<usize>classes) << 2
  for (let i = 0; i < rows; i++, x += row, out += row, dy += 4, labels += 4, normaliser += 4) {
    const factor = load<f32>(dy)
    softmaxRow(x, out, row, load<f32>(normaliser), factor)
    const label = load<u32>(labels)
    if (label >= classes) continue
    const at = out + ((<usize>label) << 2)
    store<f32>(at, load<f32>(at) - factor)
  }
}

/**
 * out = how many others of each row of x are not below that of its label, `[rows, classes]` to float32 `[rows]`; those that
 * are no numbers are not. A label that is no class has all before it.
 */
export function labelRank(x: usize, labels: usize, out: usize, rows: i32, classes: u32): void {
  const row = (<usize>classes) << 2
  for (let i = 0; i < rows; i++, x += row, labels += 4, out += 4) {
    const label = load<u32>(labels)
    store<f32>(out, <f32>(label < classes ? <i32>classes - 1 - below(x, x + row, x + ((<usize>label) << 2)) : <i32>classes))
  }
}

/** How many from x to end are below what is at `own`. */
function below(x: usize, end: usize, own: usize): i32 {
  const limit = v128.load32_splat(own)
  const whole = x + ((end - x) & ~15)
  let less = i32x4.splat(0)
  for (; x < whole; x += 16) less = i32x4.sub(less, f32x4.lt(v128.load(x), limit)) // true is -1
  let count = i32x4.extract_lane(less, 0) + i32x4.extract_lane(less, 1)
  count += i32x4.extract_lane(less, 2) + i32x4.extract_lane(less, 3)
  for (; x < end; x += 4) count += <i32>(load<f32>(x) < load<f32>(own))
  return count
}
