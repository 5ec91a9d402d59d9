/** How tfjs resizes pictures. */
export type Resized = Record<'alignCorners' | 'halfPixelCenters', boolean>

/** The shares `[out, in]` of the entries of one axis in those of the resized one. */
export type Shares = (out: number, length: number, options: Resized) => Float32Array

/** Where an entry of the resized axis lies on the axis. */
function place(i: number, out: number, length: number, { alignCorners, halfPixelCenters }: Resized): number {
  const scale = alignCorners && out > 1 ? (length - 1) / (out - 1) : length / out
  return halfPixelCenters ? (i + 0.5) * scale - 0.5 : i * scale
}

export const bilinear: Shares = (out, length, options) => {
  const shares = new Float32Array(out * length)
  for (let i = 0; i < out; i++) {
    const at = place(i, out, length, options)
    const below = Math.max(0, Math.floor(at))
    const above = Math.min(length - 1, Math.ceil(at))
    const share = at - Math.floor(at)
    shares[i * length + below] = (shares[i * length + below] as number) + 1 - share
    shares[i * length + above] = (shares[i * length + above] as number) + share
  }
  return shares
}

export const nearest: Shares = (out, length, options) => {
  const shares = new Float32Array(out * length)
  for (let i = 0; i < out; i++) {
    const { alignCorners, halfPixelCenters } = options
    const at = halfPixelCenters ? place(i, out, length, options) + 0.5 : place(i, out, length, options)
    const whole = alignCorners ? Math.round(at) : Math.floor(at)
    shares[i * length + Math.min(length - 1, Math.max(0, whole))] = 1
  }
  return shares
}
