/** What the compiled kernels offer; see assembly/index.ts. Addresses and sizes are numbers, flags 0 or 1. */
export interface Exports {
  heapBase(): number
  /** Does 96 floating-point operations an iteration in registers: what the machine can at most. */
  fmaPeak(iterations: number): number

  /** What a thread runs until `stopPool`; holds it. */
  serve(pool: number): void
  stopPool(pool: number): void

  /** Runs that many calls, rows of numbers, by all threads; see share.ts. */
  runCalls(pool: number, calls: number, count: number): void

  /** out = x Phi(x), `[size]`, and its gradient. */
  gelu(x: number, out: number, size: number): void
  geluGrad(dy: number, x: number, out: number, size: number): void
  /**
   * LayerNorm over the last axis, `[rows, dim]`: out = value weight + bias, value = (x - mean) scale; and its gradient, for
   * weight and bias one of each example, `[examples, dim]`.
   */
  layerNorm(
    ...operands: [
      x: number,
      weight: number,
      bias: number,
      out: number,
      value: number,
      scale: number,
      ...Rows,
      eps: number,
    ]
  ): void
  layerNormGrad(
    ...operands: [
      dy: number,
      value: number,
      scale: number,
      weight: number,
      out: number,
      weights: number,
      bias: number,
      examples: number,
      ...Rows,
    ]
  ): void

  matmulScratch(m: number, k: number, n: number): number
  /** op(A) op(B) + bias for each of `batch` samples; steps count elements from sample to sample, 0 for the same matrix. */
  batchMatmul(...operands: [...Product, scratch: number]): void
  /** Rows `from` to `to` (not included) of every sample of it. */
  matmulPart(...operands: [...Product, scratch: number, ...rows: Range, ...columns: Range]): void

  /** Pixels `from` to `to` (not included) of a convolution, NHWC; see assembly/conv.ts. */
  conv2d(...operands: [...Convolution, x: number, filter: number, out: number, ...Range]): void
  /** Its gradient by samples `from` to `to` of x, and by a row of the filter, of what comes from some pixels. */
  conv2dGradInput(...operands: [...Convolution, dy: number, filter: number, dx: number, ...Range]): void
  conv2dGradFilter(...operands: [...Convolution, x: number, dy: number, out: number, ...Range, row: number]): void
  /** Four channels of a sample after the other of a depthwise convolution; see assembly/convDepthwise.ts. */
  depthwise(...operands: [...Convolution, x: number, filter: number, out: number, ...Range]): void
  depthwiseGradFilter(...operands: [...Convolution, x: number, dy: number, out: number, ...Range]): void
  depthwiseScratch(geometry: number): number

  /** -log softmax(x)[label] and log sum exp(x) of each row of `[rows, classes]`, and the gradient by x. */
  crossEntropy(...operands: [x: number, labels: number, loss: number, normaliser: number, ...Classes]): void
  crossEntropyGrad(
    ...operands: [dy: number, x: number, labels: number, normaliser: number, out: number, ...Classes]
  ): void
  /** out = x Phi(x) and slope = Phi(x) + x phi(x), `[size]`. */
  geluSlope(x: number, out: number, slope: number, size: number): void
  /** op(B) `[k, n]` as a product with it reads it, and the product `[m, k] [k, n]`. */
  packMatrix(b: number, packed: number, k: number, n: number, transB: number): void
  matmulPacked(a: number, packed: number, out: number, m: number, k: number, n: number, scratch: number): void
  /** Bytes of a packed right matrix `[k, n]`, and of the scratch of a product with it. */
  packedBytes(k: number, n: number): number
  packedScratch(): number

  /** Runs all chunks of a stage of a compiled program; see assembly/program.ts. */
  runStage(pool: number, tasks: number, stage: number): void
  /** Runs each instruction of such a list once, `tasks` of them. */
  runEach(pool: number, tasks: number, list: number): void
  /** Bytes at the start of the memory of a thread that the stage itself needs. */
  arenaReserve(): number

  /** out = op(x), `[size]`; the order of `op` is that of Op in assembly/unary.ts. */
  unary(op: number, x: number, out: number, size: number): void
  logarithm(x: number, out: number, size: number): void
  /** out = op(a, b), `[n0, n1, n2, n3]`, with the steps of a and of b along those axes. */
  binary(op: number, a: number, b: number, out: number, ...sizesAndSteps: [...Four, ...Four, ...Four]): void

  /** `[outer, reduced, inner]` to `[outer, inner]`, of which `width` inner indices; the sum is divided by `divisor`. */
  sumColumns(...operands: [...Reduction, divisor: number]): void
  maximumColumns(...operands: Reduction): void
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

  /** Runs kernel number `op` on all rows of a table of tensors; see table.ts. */
  tableParts(pool: number, tasks: number, op: number, table: number, rows: number): void
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

type Classes = [rows: number, classes: number]

type Reduction = [x: number, out: number, outer: number, reduced: number, inner: number, width: number]

type Convolution = [geometry: number, scratch: number]

type Range = [from: number, to: number]
