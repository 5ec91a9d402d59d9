/** out = yes where the mask is not 0, else no, all `[size]`. */
export function select(mask: usize, yes: usize, no: usize, out: usize, size: usize): void {
  const end = size << 2
  const whole = end & ~15
  const zero = f32x4.splat(0)
  let i: usize = 0
  for (; i < whole; i += 16) {
    const chosen = f32x4.ne(v128.load(mask + i), zero)
    v128.store(out + i, v128.bitselect(v128.load(yes + i), v128.load(no + i), chosen))
  }
  for (; i < end; i += 4) store<u32>(out + i, load<u32>((load<f32>(mask + i) != 0 ? yes : no) + i))
}
