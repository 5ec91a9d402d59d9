// Transposes in blocks of 4 by 4.

/** One block: four rows of x, `xRow` bytes apart, to four rows of out, `outRow` bytes apart. */
@inline
export function transpose4(x: usize, xRow: usize, out: usize, outRow: usize): void {
  const r0 = v128.load(x)
  const r1 = v128.load(x + xRow)
  const r2 = v128.load(x + 2 * xRow)
  const r3 = v128.load(x + 3 * xRow)
  const t0 = v128.shuffle<i32>(r0, r1, 0, 4, 1, 5)
  const t1 = v128.shuffle<i32>(r0, r1, 2, 6, 3, 7)
  const t2 = v128.shuffle<i32>(r2, r3, 0, 4, 1, 5)
  const t3 = v128.shuffle<i32>(r2, r3, 2, 6, 3, 7)
  v128.store(out, v128.shuffle<i64>(t0, t2, 0, 2))
  v128.store(out + outRow, v128.shuffle<i64>(t0, t2, 1, 3))
  v128.store(out + 2 * outRow, v128.shuffle<i64>(t1, t3, 0, 2))
  v128.store(out + 3 * outRow, v128.shuffle<i64>(t1, t3, 1, 3))
}

/** out[c, r] = x[r, c] for single elements, bounds in elements. */
@inline
function single(x: usize, xRow: usize, out: usize, outRow: usize, r: usize, c: usize): void {
  store<u32>(out + c * outRow + (r << 2), load<u32>(x + r * xRow + (c << 2)))
}

/** Columns at a time: as many rows of out are written side by side. */
const BAND: usize = 8

/** out[c, r] = x[r, c] for one matrix. */
function matrix(x: usize, xRow: usize, out: usize, outRow: usize, rows: usize, columns: usize): void {
  const wholeRows = rows & ~3
  const wholeColumns = columns & ~3
  for (let c0: usize = 0; c0 < wholeColumns; c0 += BAND) {
    const stop = min(c0 + BAND, wholeColumns)
    for (let r: usize = 0; r < wholeRows; r += 4) {
      for (let c = c0; c < stop; c += 4) transpose4(x + r * xRow + (c << 2), xRow, out + c * outRow + (r << 2), outRow)
    }
  }
  for (let r: usize = 0; r < wholeRows; r++) {
    for (let c = wholeColumns; c < columns; c++) single(x, xRow, out, outRow, r, c)
  }
  for (let c: usize = 0; c < columns; c++) {
    for (let r = wholeRows; r < rows; r++) single(x, xRow, out, outRow, r, c)
  }
}

/**
 * out[.., c, r] = x[.., r, c] for `[n0, n1]` matrices of 32-bit elements. Steps count elements: from matrix to matrix
 * along the two outer axes, and from row to row of x and of out.
 */
export function transpose(
  x: usize,
  out: usize,
  n0: i32,
  n1: i32,
  rows: usize,
  columns: usize,
  x0: usize,
  x1: usize,
  xRow: usize,
  out0: usize,
  out1: usize,
  outRow: usize,
): void {
  for (let i = 0; i < n0; i++) {
    for (let j = 0; j < n1; j++) {
      const from = x + (((<usize>i) * x0 + (<usize>j) * x1) << 2)
      const to = out + (((<usize>i) * out0 + (<usize>j) * out1) << 2)
      matrix(from, xRow << 2, to, outRow << 2, rows, columns)
    }
  }
}
