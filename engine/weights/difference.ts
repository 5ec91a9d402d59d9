import { MixlabError } from '../errors.ts'
import type { NamedTensor } from './safetensors.ts'
import type { Matrix } from './tables.ts'

/** How far a parameter of one model is from the same parameter of another. */
export interface Change {
  name: string
  shape: number[]
  /** Norm of the first, and of the difference: the root of the sum of squares. */
  norm: number
  difference: number
  /** Difference by norm; null where the first is 0. */
  relative: number | null
}

/**
 * How far each parameter of a model is from the same parameter of another model of its architecture. Throws MixlabError
 * `weights` naming the first parameter that one of them lacks or has in another shape; `others` names the other model.
 */
export function changesOf(
  tensors: readonly NamedTensor[],
  other: readonly NamedTensor[],
  others = 'the other run',
): Change[] {
  const byName = new Map(other.map((tensor) => [tensor.name, tensor]))
  const changes = tensors.map(({ name, shape, values }): Change => {
    const same = byName.get(name)
    byName.delete(name)
    if (!same) throw unlike(others, `has no '${name}'`)
    if (same.shape.join() !== shape.join())
      throw unlike(others, `has '${name}' as [${same.shape.join(', ')}], not [${shape.join(', ')}]`)
    const norm = normOf(values.length, (i) => values[i] ?? 0)
    const difference = normOf(values.length, (i) => (same.values[i] ?? 0) - (values[i] ?? 0))
    return { name, shape, norm, difference, relative: norm === 0 ? null : difference / norm }
  })
  const [extra] = byName.keys()
  if (extra !== undefined) throw unlike(others, `also has '${extra}'`)
  return changes
}

/** The same matrices of two models, the second minus the first. */
export function matrixDifferences<Of extends Matrix>(matrices: readonly Of[], others: readonly Matrix[]): Of[] {
  const byName = new Map(others.map((matrix) => [matrix.name, matrix]))
  return matrices.flatMap((matrix) => {
    const other = byName.get(matrix.name)
    if (!other) return []
    return [{ ...matrix, values: matrix.values.map((value, i) => (other.values[i] ?? 0) - value) }]
  })
}

function normOf(length: number, at: (i: number) => number): number {
  let sum = 0
  for (let i = 0; i < length; i++) sum += at(i) ** 2
  return Math.sqrt(sum)
}

function unlike(others: string, why: string): MixlabError {
  return new MixlabError('weights', others, `${why}: another architecture`)
}
