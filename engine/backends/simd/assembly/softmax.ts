import { rowMax, rowMin, rowSum } from './reduce'
import { exp4, expNormal4 } from './unaryMath'

/** So far below the largest element of a row the exponentials of all others are normal numbers. */
const NORMAL: f32 = 87

/** out = softmax(x) over the last axis, both `[rows, size]`; they may be the same. */
export function softmax(x: usize, out: usize, rows: i32, size: usize): void {
  const row = size << 2
  const whole = row & ~15
  for (let i = 0; i < rows; i++, x += row, out += row) {
    const most = rowMax(x, x + row)
    const largest = f32x4.splat(most)
    let j: usize = 0
    if (most - rowMin(x, x + row) <= NORMAL) {
      const wide = row & ~31
      for (; j < wide; j += 32) {
        const a = expNormal4(f32x4.sub(v128.load(x + j), largest))
        const b = expNormal4(f32x4.sub(v128.load(x + j, 16), largest))
        v128.store(out + j, a)
        v128.store(out + j, b, 16)
      }
      for (; j < whole; j += 16) v128.store(out + j, expNormal4(f32x4.sub(v128.load(x + j), largest)))
    } else {
      for (; j < whole; j += 16) v128.store(out + j, exp4(f32x4.sub(v128.load(x + j), largest)))
    }
    for (; j < row; j += 4) v128.store_lane<f32>(out + j, exp4(f32x4.sub(v128.load32_zero(x + j), largest)), 0)
    const scale = f32x4.splat(<f32>(1 / rowSum(out, out + row)))
    for (j = 0; j < whole; j += 16) v128.store(out + j, f32x4.mul(v128.load(out + j), scale))
    for (; j < row; j += 4) v128.store_lane<f32>(out + j, f32x4.mul(v128.load32_zero(out + j), scale), 0)
  }
}
