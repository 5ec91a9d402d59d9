import { MixlabError } from '../../errors.ts'
import { integer, type Key, uniform } from '../../random.ts'
import { meshSampler } from './mesh.ts'
import { parseOff } from './off-file.ts'
import { toUnitBall } from './unit-ball.ts'
import { parseXyz } from './xyz-file.ts'

/**
 * `points` points of a file, in the unit ball: `[points, 3]`, flat. Of a mesh (`.off`) they are uniform over its area,
 * of a cloud (`.xyz`) a random choice; where it has fewer they come again. `key` decides which. Throws MixlabError
 * `data` with `path`, the name of the file, and the line.
 */
export function decodeCloud(bytes: Uint8Array, path: string, points: number, key: Key): Float32Array {
  const cloud = /\.off$/i.test(path) ? onMesh(bytes, path, points, key) : among(parseXyz(bytes, path), points, key)
  // Still in 64 bits: what was surveyed may be far from the origin.
  if (toUnitBall(cloud) && cloud.every(Number.isFinite)) return Float32Array.from(cloud)
  throw new MixlabError('data', path, 'all points are the same, or too far apart')
}

function onMesh(bytes: Uint8Array, path: string, points: number, key: Key): Float64Array {
  const sample = meshSampler(parseOff(bytes, path))
  if (!sample) throw new MixlabError('data', path, 'the area of its faces is 0, or too large')
  let counter = 0
  const draw = () => uniform(key, counter++)
  return Float64Array.from(Array.from({ length: points }, () => sample(draw)).flat())
}

function among(all: number[], points: number, key: Key): Float64Array {
  const count = all.length / 3
  const chosen = count > points ? [...choice(count, points, key)] : Array.from({ length: points }, (_, i) => i % count)
  return Float64Array.from(
    { length: points * 3 },
    (_, i) => all[3 * (chosen[Math.floor(i / 3)] as number) + (i % 3)] ?? 0,
  )
}

/** `size` different numbers below `count`, every set equally likely (Floyd's algorithm). */
function choice(count: number, size: number, key: Key): Set<number> {
  const chosen = new Set<number>()
  for (let last = count - size; last < count; last++) {
    const drawn = integer(key, last, last + 1)
    chosen.add(chosen.has(drawn) ? last : drawn)
  }
  return chosen
}
