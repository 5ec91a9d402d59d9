import { type Mesh, meshSampler, type NextUniform, type Point } from './mesh.ts'

/** The surface of one solid: gives points about uniform over its area. */
export type Surface = (draw: NextUniform) => Point

/** Draws the proportions of a solid, about 2 long in each direction and upright along z, and gives its surface. */
type Solid = (between: (low: number, high: number) => number) => Surface

/**
 * Ten solids that stretching along their axes does not turn into each other. What some have in common (round or flat
 * sides, one tip or none, bases) leaves several open.
 */
const solids: Record<string, Solid> = {
  ellipsoid: () => capsule(0),
  capsule: (between) => capsule(between(1.2, 2.5)),
  cylinder: (between) => {
    const half = between(0.7, 1.3)
    return revolved([0, -half], [1, -half], [1, half], [0, half])
  },
  cone: (between) => {
    const half = between(0.8, 1.3)
    return revolved([0, -half], [1, -half], [0, half])
  },
  torus: (between) => torus(between(0.25, 0.45)),
  helix: (between) => helix(between(1.8, 3), between(0.1, 0.16)),
  cuboid: () => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i): Point => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1])
    return polyhedron(corners, [0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5])
  },
  prism: (between) => {
    const half = between(0.8, 1.3)
    const corners = [...polygon(3, -half), ...polygon(3, half)]
    return polyhedron(corners, [0, 1, 2], [3, 4, 5], [0, 1, 4, 3], [1, 2, 5, 4], [2, 0, 3, 5])
  },
  pyramid: (between) => {
    const half = between(0.7, 1.1)
    return polyhedron([...polygon(4, -half), [0, 0, half]], [0, 1, 2, 3], [0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4])
  },
  tetrahedron: () => polyhedron([...polygon(3, -0.7), [0, 0, 0.7]], [0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]),
}

export const SOLIDS = Object.keys(solids)

/** The surface of the solid called `name`, its proportions drawn. */
export function solidSurface(name: string, between: (low: number, high: number) => number): Surface {
  const solid = solids[name]
  if (!solid) throw new RangeError(`no solid '${name}'`)
  return solid(between)
}

function around(radius: number, turn: number, z: number): Point {
  return [radius * Math.cos(2 * Math.PI * turn), radius * Math.sin(2 * Math.PI * turn), z]
}

/** A regular polygon of circumradius 1 at height `z`. */
function polygon(corners: number, z: number): Point[] {
  return Array.from({ length: corners }, (_, i) => around(1, i / corners, z))
}

/** Convex faces, each by its corners in order. */
function polyhedron(corners: Point[], ...faces: number[][]): Surface {
  const triangles = faces.flatMap(([first = 0, ...rest]) =>
    rest.slice(1).flatMap((corner, i) => [first, rest[i] as number, corner]),
  )
  const mesh: Mesh = { vertices: corners.flat(), triangles }
  return meshSampler(mesh) as Surface
}

/** Two half balls of radius 1 and `length` between. By Archimedes its area is even along its axis. */
function capsule(length: number): Surface {
  return (draw) => {
    const z = (length / 2 + 1) * (2 * draw() - 1)
    const beyond = Math.max(0, Math.abs(z) - length / 2)
    return around(Math.sqrt(1 - beyond ** 2), draw(), z)
  }
}

/** A line from (radius, height) to (radius, height) and on, turned about z. */
function revolved(...line: [radius: number, z: number][]): Surface {
  let total = 0
  const parts = line.slice(1).map(([r, z], i) => {
    const [before, from] = line[i] as [number, number]
    total += (before + r) * Math.hypot(r - before, z - from)
    return { from: [before, from] as const, to: [r, z] as const, upTo: total }
  })
  return (draw) => {
    const place = draw() * total
    const part = parts.find(({ upTo }) => place < upTo) as (typeof parts)[number]
    const [[r0, z0], [r1, z1]] = [part.from, part.to]
    const share = draw()
    // The area within a part grows with the square of the radius, where that changes.
    const along = r0 === r1 ? share : (Math.sqrt(r0 ** 2 + share * (r1 ** 2 - r0 ** 2)) - r0) / (r1 - r0)
    return around(r0 + along * (r1 - r0), draw(), z0 + along * (z1 - z0))
  }
}

/** A ring of radius 1 with a tube of radius `tube`. */
function torus(tube: number): Surface {
  return (draw) => {
    let angle = 0
    do angle = 2 * Math.PI * draw()
    while (draw() * (1 + tube) > 1 + tube * Math.cos(angle)) // the outer side has more area
    return around(1 + tube * Math.cos(angle), draw(), tube * Math.sin(angle))
  }
}

/** A wire of radius `wire` that winds about z `turns` times at radius 1. */
function helix(turns: number, wire: number): Surface {
  return (draw) => {
    const along = draw()
    const angle = 2 * Math.PI * draw()
    return around(1 + wire * Math.cos(angle), turns * along, 2.4 * along - 1.2 + wire * Math.sin(angle))
  }
}
