import { strided } from '../nn/layout.ts'
import type { NamedTensor } from './safetensors.ts'

/** A matrix of a model as it is drawn. */
export interface Matrix {
  /** The layer that it belongs to, and what it is there. */
  name: string
  rows: number
  columns: number
  /** Row by row. */
  values: Float32Array
}

/** What the two maps of external attention are called in files, before `.weight` (nn/layers/externalAttention.ts). */
const [KEYS, VALUES] = [/^(.*\.)?linear_0\.weight$/, 'linear_1.weight']

/**
 * The memories of external attention, slots as rows: `[slots, dim]` of the keys and of the values of each layer, under
 * `<layer>.keys` and `<layer>.values`. They are known by their names and by shapes that fit each other.
 */
export function externalMemories(tensors: readonly NamedTensor[]): Matrix[] {
  const byName = new Map(tensors.map((tensor) => [tensor.name, tensor]))
  return tensors.flatMap((keys) => {
    const [found, path = ''] = KEYS.exec(keys.name) ?? []
    const values = byName.get(path + VALUES)
    if (found === undefined || !values) return []
    const [slots = 0, dim = 0] = keys.shape
    const fits = values.shape[0] === dim && values.shape[1] === slots && keys.values.length === slots * dim
    if (!fits || values.values.length !== slots * dim) return []
    const shape = { rows: slots, columns: dim }
    return [
      { name: `${path}keys`, ...shape, values: Float32Array.from(keys.values) },
      { name: `${path}values`, ...shape, values: strided(Float32Array.from(values.values), [slots, dim], [1, slots]) },
    ]
  })
}

/**
 * The learned biases of relative positions, heads as rows: `[heads, buckets - 1]`, from the bucket of the keys furthest
 * before the query over that of the query itself, in the middle, to the furthest after it. A table has a bucket more,
 * distance 0 among those after, which nothing reads (nn/layers/relativePosition.ts).
 */
export function relativePositions(tensors: readonly NamedTensor[]): Matrix[] {
  return tensors.flatMap(({ name, shape, values }) => {
    const [buckets = 0, heads = 0] = shape
    if (!/(^|\.)relative_attention_bias(_\d+)?\.weight$/.test(name) || shape.length !== 2) return []
    const half = Math.floor(buckets / 2)
    const before = Array.from({ length: half }, (_, i) => half - 1 - i)
    const after = Array.from({ length: Math.max(0, half - 1) }, (_, i) => half + 1 + i)
    const order = [...before, ...after]
    const rows = Array.from({ length: heads }, (_, head) => order.map((bucket) => values[bucket * heads + head] ?? 0))
    return [{ name, rows: heads, columns: order.length, values: Float32Array.from(rows.flat()) }]
  })
}
