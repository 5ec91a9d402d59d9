import { rowMax, rowSum } from './reduce'
import { exp4 } from './unaryMath'

/** out = softmax(x) over the last axis, both `[rows, size]`; they may be the same. */
export function softmax(x: usize, out: usize, rows: i32, size: usize): void {
  const row = size << 2
  const whole = row & ~15
  for (let i = 0; i < rows; i++, x += row, out += row) {
    const largest = f32x4.splat(rowMax(x, x + row))
    let j: usize = 0
    for (; j < whole; j += 16) v128.store(out + j, exp4(f32x4.sub(v128.load(x + j), largest)))
    for (; j < row; j += 4) v128.store_lane<f32>(out + j, exp4(f32x4.sub(v128.load32_zero(x + j), largest)), 0)
    const scale = f32x4.splat(<f32>(1 / rowSum(out, out + row)))
    for (j = 0; j < whole; j += 16) v128.store(out + j, f32x4.mul(v128.load(out + j), scale))
    for (; j < row; j += 4) v128.store_lane<f32>(out + j, f32x4.mul(v128.load32_zero(out + j), scale), 0)
  }
}
