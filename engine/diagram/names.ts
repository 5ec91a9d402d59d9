/** Kernels whose operation has another name than theirs in small letters. */
const NAMES: Record<string, string> = {
  BatchMatMul: 'matMul',
  Multiply: 'mul',
  RealDiv: 'div',
  Select: 'where',
  SplitV: 'split',
  GatherV2: 'gather',
  FusedConv2D: 'conv2d',
  Conv2D: 'conv2d',
  DepthwiseConv2dNative: 'depthwiseConv2d',
  PadV2: 'pad',
  FFT: 'fft',
  IFFT: 'ifft',
}

/** What tfjs calls the operation of a kernel: `mul` for `Multiply`. */
export function operationName(kernel: string): string {
  return NAMES[kernel] ?? kernel.charAt(0).toLowerCase() + kernel.slice(1)
}

/** A shape, e.g. `1 × 196 × 256`; `number` for none. */
export function shapeText(shape: readonly number[] | undefined): string {
  return shape?.length ? shape.join(' × ') : 'number'
}

/** A count in at most four signs, e.g. `1.23 M`. */
export function shortCount(value: number): string {
  const unit = UNITS.find(([size]) => value >= size)
  if (!unit) return String(Math.round(value))
  const scaled = value / unit[0]
  return `${scaled.toPrecision(scaled < 999.5 ? 3 : 4).replace(/\.0+$/, '')} ${unit[1]}`
}

const UNITS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Bytes, e.g. `1.23 MB`. */
export function shortBytes(bytes: number): string {
  return bytes < 1e3 ? `${Math.round(bytes)} B` : `${shortCount(bytes)}B`
}

/** Milliseconds, e.g. `0.12 ms`. */
export function shortTime(ms: number): string {
  return ms < 1 ? `${(ms * 1000).toPrecision(3)} µs` : `${ms.toPrecision(3)} ms`
}
