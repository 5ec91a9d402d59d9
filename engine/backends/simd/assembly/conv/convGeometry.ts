/** A convolution as 32-bit words in memory, in the order of kernels/conv/convGeometry.ts. */
@unmanaged
export class Geometry {
  /** The input, of one sample. */
  height: i32
  width: i32
  channels: i32
  /** Zeros above it and to its left. */
  top: i32
  left: i32
  /** From pixel to pixel of the input; where that is more than 1, zeros lie between. For depthwise ones alone. */
  spreadHeight: i32
  spreadWidth: i32
  kernelHeight: i32
  kernelWidth: i32
  strideHeight: i32
  strideWidth: i32
  dilationHeight: i32
  dilationWidth: i32
  /** The output. */
  outHeight: i32
  outWidth: i32
  outChannels: i32
  /** Patches at a time; channels in winogradGradFilter. */
  rows: i32
}
