/** A point in space. */
export type Point = [x: number, y: number, z: number]

/** The next of a stream of uniform draws in [0, 1). */
export type NextUniform = () => number

/** A surface of triangles: coordinates `[vertices, 3]` and corners `[triangles, 3]`, flat. */
export interface Mesh {
  vertices: ArrayLike<number>
  triangles: ArrayLike<number>
}

/** Gives points uniform over the area of a mesh, three draws each; null for a mesh whose area is 0 or not finite. */
export function meshSampler({ vertices, triangles }: Mesh): ((draw: NextUniform) => Point) | null {
  const corner = (triangle: number, c: number): Point => {
    const at = 3 * (triangles[3 * triangle + c] as number)
    return [vertices[at] as number, vertices[at + 1] as number, vertices[at + 2] as number]
  }
  const upTo = new Float64Array(triangles.length / 3) // the area of a triangle and all before it
  let total = 0
  for (let i = 0; i < upTo.length; i++) {
    total += area(corner(i, 0), corner(i, 1), corner(i, 2))
    upTo[i] = total
  }
  if (!(total > 0 && total < Number.POSITIVE_INFINITY)) return null
  return (draw) => {
    const triangle = firstAbove(upTo, draw() * total)
    const [a, b, c] = [corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)]
    const root = Math.sqrt(draw())
    const share = draw()
    const weights = [1 - root, root * (1 - share), root * share] as const
    const at = (axis: 0 | 1 | 2) => weights[0] * a[axis] + weights[1] * b[axis] + weights[2] * c[axis]
    return [at(0), at(1), at(2)]
  }
}

function area(a: Point, b: Point, c: Point): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]]
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2
}

/** The first place of rising values whose value is above `value`, else the last place. */
function firstAbove(rising: Float64Array, value: number): number {
  let [low, high] = [0, rising.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}
