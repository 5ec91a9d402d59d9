import { checkIndices } from '../indices.ts'
import type { PointBatch, Pool } from '../types.ts'

/** Bytes of clouds that a split keeps. */
const CACHE_BYTES = 2 ** 28

/**
 * A split whose clouds are made when they are first asked for; `cloud` gives `[points, 3]`, flat. The first ones are
 * kept, as many as fit into `limit` bytes, the others are made anew each time: over shuffled epochs no cache of that
 * size does better.
 */
export function cloudSplit(
  labels: ArrayLike<number>,
  points: number,
  cloud: (index: number) => Float32Array | Promise<Float32Array>,
  limit = CACHE_BYTES,
): Pool<PointBatch> {
  const length = points * 3
  const most = Math.floor(limit / (length * 4))
  const kept = new Map<number, Float32Array>()
  const get = async (index: number) => {
    const known = kept.get(index)
    if (known) return known
    const made = await cloud(index)
    if (kept.size < most) kept.set(index, made)
    return made
  }
  const read = async (indices: ArrayLike<number>) => {
    checkIndices(indices, labels.length)
    const batch = { points: new Float32Array(indices.length * length), labels: new Int32Array(indices.length) }
    for (let i = 0; i < indices.length; i++) {
      const index = indices[i] as number
      batch.points.set(await get(index), i * length)
      batch.labels[i] = labels[index] as number
    }
    return batch
  }
  return { size: labels.length, read, labels }
}
