/** How the points of a cloud can be ordered. */
export const pointOrders = ['hilbert', 'height', 'none'] as const
export type PointOrder = (typeof pointOrders)[number]

/** Cells of the curve along each axis, as a power of 2. */
const BITS = 10

/**
 * Orders the points of a cloud, `[points, 3]` flat in the unit ball, in place: `hilbert` along a Hilbert curve through
 * the cube around the ball, so that tokens near each other are points near each other; `height` by z, then y, then x;
 * `none` as they came. Clouds of the same points become the same whatever order they had, `none` excepted.
 */
export function sortPoints(cloud: Float32Array, order: PointOrder): void {
  if (order === 'none') return
  const count = cloud.length / 3
  const place = Float64Array.from({ length: count }, (_, i) =>
    order === 'hilbert' ? alongHilbert(cell(cloud, i, 0), cell(cloud, i, 1), cell(cloud, i, 2)) : 0,
  )
  const by = (a: number, b: number, axis: number) => (cloud[3 * a + axis] as number) - (cloud[3 * b + axis] as number)
  const sequence = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => (place[a] as number) - (place[b] as number) || by(a, b, 2) || by(a, b, 1) || by(a, b, 0),
  )
  const before = cloud.slice()
  for (const [to, from] of sequence.entries()) cloud.set(before.subarray(3 * from, 3 * from + 3), 3 * to)
}

/** The cell of a coordinate in -1..1. */
function cell(cloud: Float32Array, point: number, axis: number): number {
  const most = 2 ** BITS - 1
  return Math.min(most, Math.max(0, Math.floor((((cloud[3 * point + axis] as number) + 1) / 2) * (most + 1))))
}

/**
 * The place of a cell on the Hilbert curve, in 0..2^(3 BITS) - 1, by Skilling's algorithm ("Programming the Hilbert
 * curve", 2004): undo the turns of the sub-cubes from the largest on, then read the bits of the axes in turn.
 */
function alongHilbert(x: number, y: number, z: number): number {
  const axes = [x, y, z] as [number, number, number]
  for (let bit = 1 << (BITS - 1); bit > 1; bit >>= 1) {
    const below = bit - 1
    for (let axis = 0; axis < 3; axis++) {
      const value = axes[axis] as number
      if (value & bit) {
        axes[0] ^= below
      } else {
        const exchanged = (axes[0] ^ value) & below
        axes[0] ^= exchanged
        axes[axis] = (axes[axis] as number) ^ exchanged
      }
    }
  }
  axes[1] ^= axes[0]
  axes[2] ^= axes[1]
  let flips = 0
  for (let bit = 1 << (BITS - 1); bit > 1; bit >>= 1) if (axes[2] & bit) flips ^= bit - 1
  let place = 0
  for (let i = BITS - 1; i >= 0; i--) {
    for (const value of axes) place = place * 2 + (((value ^ flips) >> i) & 1)
  }
  return place
}
