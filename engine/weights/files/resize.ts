import { resampleWeights } from '../../data/images/resize.ts'
import type { NamedTensor } from '../safetensors.ts'

/** A tensor of a model, as a file has it. */
export interface Wanted {
  name: string
  shape: number[]
  /** Of the head: a file may have another, or none. */
  inHead: boolean
  /** A matrix over tokens, or its bias: rows and columns of patches where its inputs are those, else null. */
  tokenGrid?: [rows: number, columns: number] | null | undefined
}

/** From how many tokens to how many, both square grids of patches. */
export interface Resizing {
  from: number
  to: number
}

/**
 * A tensor for another grid of patches; null where it does not fit even so. Positions are interpolated, tokens in front of
 * the patches keep theirs, as in the fine-tuning of ViT (Dosovitskiy et al. 2020, section 3.2) and DeiT. Matrices over
 * tokens go on mixing on the old grid: patches are averaged to it, and what comes out is interpolated to the new one, so
 * that W becomes U W D. The Mixer paper (appendix C) instead repeats W along the diagonal; see copied.ts.
 */
export function resized(tensor: NamedTensor, wanted: Wanted, { from, to }: Resizing): NamedTensor | null {
  if (tensor.shape.length !== wanted.shape.length) return null
  let { values, shape } = tensor as { values: Float32Array; shape: number[] }
  for (const [axis, length] of wanted.shape.entries()) {
    const own = shape[axis] as number
    if (own === length) continue
    const inFront = length - to
    if (own - from !== inFront || inFront < 0 || inFront > 1) return null
    const isInput = axis === 1 && wanted.tokenGrid !== undefined
    const matrix = isInput ? turned(across(to, from)) : across(from, to)
    values = alongAxis(values, shape, axis, withFront(matrix, inFront))
    shape = shape.map((each, i) => (i === axis ? length : each))
  }
  return { name: tensor.name, shape, values }
}

/** How many patches a file and a model have, by their positions or matrices over tokens; null where that is not known. */
export function resizingOf(file: ReadonlyMap<string, NamedTensor>, wanted: readonly Wanted[]): Resizing | null {
  for (const { name, shape, tokenGrid } of wanted) {
    const other = file.get(name)?.shape
    if (!other || other.length !== shape.length) continue
    const axis = /pos_embed$/.test(name) ? 1 : tokenGrid ? shape.length - 1 : -1
    const [from = 0, to = 0] = [other[axis], shape[axis]]
    for (const inFront of [0, 1]) {
      if (from !== to && isSquare(from - inFront) && isSquare(to - inFront))
        return { from: from - inFront, to: to - inFront }
    }
  }
  return null
}

const isSquare = (count: number) => count > 0 && Number.isInteger(Math.sqrt(count))

/** Rows that make each of `to` patches of `from` patches: along both axes in turn, smoothed where there are fewer. */
function across(from: number, to: number): number[][] {
  const [side, target] = [Math.sqrt(from), Math.sqrt(to)]
  const along = resampleWeights(side, target).map(({ first, weights }) => {
    const row = new Array<number>(side).fill(0)
    for (const [i, weight] of weights.entries()) row[first + i] = weight
    return row
  })
  return along.flatMap((down) => along.map((right) => down.flatMap((weight) => right.map((other) => weight * other))))
}

const turned = (matrix: number[][]) => (matrix[0] ?? []).map((_, i) => matrix.map((row) => row[i] as number))

/** The same for tokens with some in front of them that stay. */
function withFront(matrix: number[][], count: number): number[][] {
  if (count === 0) return matrix
  const columns = matrix[0]?.length ?? 0
  return [[1, ...new Array<number>(columns).fill(0)], ...matrix.map((row) => [0, ...row])]
}

/** Multiplies the vectors along an axis by a matrix, outputs by inputs. */
function alongAxis(values: Float32Array, shape: readonly number[], axis: number, matrix: number[][]): Float32Array {
  const length = shape[axis] as number
  const after = shape.slice(axis + 1).reduce((product, each) => product * each, 1)
  const before = values.length / length / after
  const result = new Float32Array(before * matrix.length * after)
  for (let block = 0; block < before; block++)
    for (const [o, row] of matrix.entries())
      for (const [i, weight] of row.entries()) {
        if (weight === 0) continue
        for (let at = 0; at < after; at++) {
          const to = (block * matrix.length + o) * after + at
          result[to] = (result[to] as number) + weight * (values[(block * length + i) * after + at] as number)
        }
      }
  return result
}
