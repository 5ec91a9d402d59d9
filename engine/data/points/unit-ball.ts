/**
 * Moves a cloud, `[points, 3]` flat, so that its mean is the origin, and scales it so that its farthest point is at
 * distance 1, both in place. Returns false, and only moves it, where all points are the same.
 */
export function toUnitBall(cloud: Float32Array | Float64Array): boolean {
  const points = cloud.length / 3
  const centre = [0, 0, 0]
  for (let i = 0; i < cloud.length; i++) centre[i % 3] = (centre[i % 3] as number) + (cloud[i] as number) / points
  let radius = 0
  for (let i = 0; i < cloud.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) cloud[i + axis] = (cloud[i + axis] as number) - (centre[axis] as number)
    radius = Math.max(radius, Math.hypot(cloud[i] as number, cloud[i + 1] as number, cloud[i + 2] as number))
  }
  if (radius === 0) return false
  for (let i = 0; i < cloud.length; i++) cloud[i] = (cloud[i] as number) / radius
  return true
}
