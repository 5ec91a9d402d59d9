/** What the compiled kernels offer; see assembly/index.ts. Addresses and sizes are numbers, flags 0 or 1. */
export interface Exports {
  heapBase(): number

  /** What a thread runs until `stopPool`; holds it. */
  serve(pool: number): void
  stopPool(pool: number): void

  /** out = x Phi(x), `[size]`, and its gradient, in parts by the threads of the pool. */
  geluParts(pool: number, tasks: number, x: number, out: number, size: number): void
  geluGradParts(pool: number, tasks: number, dy: number, x: number, out: number, size: number): void
  /** LayerNorm without scale and shift over the last axis, `[rows, dim]`, and its gradient, likewise. */
  normalizeParts(
    pool: number,
    tasks: number,
    ...operands: [x: number, out: number, scale: number, ...Rows, eps: number]
  ): void
  normalizeGradParts(
    pool: number,
    tasks: number,
    ...operands: [dy: number, value: number, scale: number, out: number, ...Rows]
  ): void

  matmulScratch(m: number, k: number, n: number): number
  /** op(A) op(B) + bias for each of `batch` samples; steps count elements from sample to sample, 0 for the same matrix. */
  batchMatmul(...operands: [...Product, scratch: number]): void
  /** The same in `tasks` parts by the threads of the pool; each part has `scratchStep` bytes of the scratch. */
  batchMatmulParts(pool: number, tasks: number, ...operands: [...Product, scratch: number, scratchStep: number]): void

  /** out = op(x), `[size]`; the order of `op` is that of Op in assembly/unary.ts. */
  unary(op: number, x: number, out: number, size: number): void
  logarithm(x: number, out: number, size: number): void
  /** out = op(a, b), `[n0, n1, n2, n3]`, with the steps of a and of b along those axes. */
  binary(op: number, a: number, b: number, out: number, ...sizesAndSteps: [...Four, ...Four, ...Four]): void

  /** `[outer, reduced, inner]` to `[outer, inner]`; the sum is divided by `divisor`. */
  sum(x: number, out: number, outer: number, reduced: number, inner: number, divisor: number): void
  maximum(x: number, out: number, outer: number, reduced: number, inner: number): void
  /** `[rows, size]`, over the last axis. */
  softmax(x: number, out: number, rows: number, size: number): void

  /** `[n0, n1]` matrices; steps along the two outer axes and from row to row, of x and of out. */
  transpose(
    ...operands: [
      x: number,
      out: number,
      n0: number,
      n1: number,
      rows: number,
      columns: number,
      x0: number,
      x1: number,
      xRow: number,
      out0: number,
      out1: number,
      outRow: number,
    ]
  ): void
  /** out = x for `[n0, n1, n2, n3]`; the steps of x, then those of out but for the last, which is 1. */
  copy(x: number, out: number, ...sizesAndSteps: [...Four, ...Four, out0: number, out1: number, out2: number]): void
  fill(out: number, size: number, bits: number): void
  toFloat(x: number, out: number, size: number): void

  /** Whether all `[count]` indices are in 0..below-1: 0 or 1. */
  inRange(indices: number, count: number, below: number): number
  /** `[outer, size, inner]` to `[outer, count, inner]`. */
  gather(
    ...operands: [x: number, indices: number, out: number, outer: number, size: number, count: number, inner: number]
  ): void
  /** `[count, inner]` to `[segments, inner]`. */
  segmentSum(x: number, ids: number, out: number, count: number, segments: number, inner: number): void
  oneHot(indices: number, out: number, count: number, depth: number, on: number, off: number): void
}

type Four = [number, number, number, number]

type Product = [
  a: number,
  b: number,
  out: number,
  batch: number,
  aStep: number,
  bStep: number,
  m: number,
  k: number,
  n: number,
  transA: number,
  transB: number,
  bias: number,
]

type Rows = [rows: number, dim: number]
