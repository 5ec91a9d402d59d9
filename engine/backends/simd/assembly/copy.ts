// Copies of 32-bit elements between arrays with gaps.

/** Rows of more bytes are left to memory.copy, whose call costs more than the loop before. */
const LONG: usize = 1024

@inline
function row(x: usize, out: usize, size: usize): void {
  if (size > LONG) {
    memory.copy(out, x, size)
    return
  }
  const whole = size & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, v128.load(x + i))
  for (; i < size; i += 4) store<u32>(out + i, load<u32>(x + i))
}

/**
 * out = x for `[n0, n1, n2, n3]`. Steps count elements from index to index of an axis; out has no gaps in the last one,
 * where x has the step `x3`: 1, or 0 for one element that is repeated.
 */
export function copy(
  x: usize,
  out: usize,
  n0: i32,
  n1: i32,
  n2: i32,
  n3: usize,
  x0: usize,
  x1: usize,
  x2: usize,
  x3: usize,
  out0: usize,
  out1: usize,
  out2: usize,
): void {
  for (let i = 0; i < n0; i++) {
    for (let j = 0; j < n1; j++) {
      let from = x + (((<usize>i) * x0 + (<usize>j) * x1) << 2)
      let to = out + (((<usize>i) * out0 + (<usize>j) * out1) << 2)
      for (let k = 0; k < n2; k++) {
        if (x3 == 0) fill(to, n3, load<u32>(from))
        else row(from, to, n3 << 2)
        from += x2 << 2
        to += out2 << 2
      }
    }
  }
}

/** out = the 32 bits `value`, `[size]`. */
export function fill(out: usize, size: usize, value: u32): void {
  const end = size << 2
  const whole = end & ~15
  const lanes = i32x4.splat(value)
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, lanes)
  for (; i < end; i += 4) store<u32>(out + i, value)
}

/** out = x as a float32, int32 `[size]`; they may be the same. */
export function toFloat(x: usize, out: usize, size: usize): void {
  const end = size << 2
  const whole = end & ~15
  let i: usize = 0
  for (; i < whole; i += 16) v128.store(out + i, f32x4.convert_i32x4_s(v128.load(x + i)))
  for (; i < end; i += 4) store<f32>(out + i, <f32>load<i32>(x + i))
}
