// Rows chosen by int32 indices.

/** Whether all of `indices`, `[count]`, are in 0..below-1. */
export function inRange(indices: usize, count: i32, below: u32): bool {
  for (let i = 0; i < count; i++) {
    if (load<u32>(indices + ((<usize>i) << 2)) >= below) return false
  }
  return true
}

/** out[o, i] = x[o, indices[i]]: `[outer, size, inner]` to `[outer, count, inner]`, indices within `size`. */
export function gather(x: usize, indices: usize, out: usize, outer: i32, size: usize, count: i32, inner: usize): void {
  const row = inner << 2
  const whole = row & ~15
  for (let o = 0; o < outer; o++, x += size * row) {
    for (let i = 0; i < count; i++, out += row) {
      const from = x + <usize>load<u32>(indices + ((<usize>i) << 2)) * row
      let j: usize = 0
      for (; j < whole; j += 16) v128.store(out + j, v128.load(from + j))
      for (; j < row; j += 4) store<u32>(out + j, load<u32>(from + j))
    }
  }
}

/**
 * out[s] = sum of the rows of x whose segment is s: `[count, inner]` to `[segments, inner]`, in the order of x. Rows
 * with another segment go nowhere.
 */
export function segmentSum(x: usize, ids: usize, out: usize, count: i32, segments: u32, inner: usize): void {
  const row = inner << 2
  const whole = row & ~15
  memory.fill(out, 0, <usize>segments * row)
  for (let i = 0; i < count; i++, x += row) {
    const id = load<u32>(ids + ((<usize>i) << 2))
    if (id >= segments) continue
    const to = out + <usize>id * row
    let j: usize = 0
    for (; j < whole; j += 16) v128.store(to + j, f32x4.add(v128.load(to + j), v128.load(x + j)))
    for (; j < row; j += 4) store<f32>(to + j, load<f32>(to + j) + load<f32>(x + j))
  }
}

/** out[i] = the bits `off`, but `on` at indices[i]: `[count, depth]`. */
export function oneHot(indices: usize, out: usize, count: i32, depth: u32, on: u32, off: u32): void {
  const row = (<usize>depth) << 2
  const lanes = i32x4.splat(off)
  const end = <usize>count * row
  const whole = end & ~15
  let j: usize = 0
  for (; j < whole; j += 16) v128.store(out + j, lanes)
  for (; j < end; j += 4) store<u32>(out + j, off)
  for (let i = 0; i < count; i++, out += row) {
    const index = load<u32>(indices + ((<usize>i) << 2))
    if (index < depth) store<u32>(out + ((<usize>index) << 2), on)
  }
}
