import type { NamedTensor } from '../safetensors.ts'
import type { Resizing, Wanted } from './resize.ts'

/**
 * A tensor for K times as many rows and columns of patches, by copies of it; null where it does not fit even so. The larger
 * image is taken as K x K images of the old size, beside and below each other, and each is mixed as before: a matrix over
 * tokens is repeated along the diagonal, once for each, and so are the hidden units of a token MLP, which has to be K^2
 * times as wide (Tolstikhin et al. 2021, "MLP-Mixer", appendix C). Of what has tokens along one axis alone, such as biases
 * and positions, each has its values again. Tokens in front of the patches do not fit.
 */
export function copied(tensor: NamedTensor, wanted: Wanted, { from, to }: Resizing): NamedTensor | null {
  const times = to / from
  const longer = wanted.shape.map((length, axis) => length !== tensor.shape[axis])
  const fits = wanted.shape.every((length, axis) => !longer[axis] || length === (tensor.shape[axis] as number) * times)
  if (tensor.shape.length !== wanted.shape.length || !fits || !Number.isInteger(Math.sqrt(times))) return null
  const places = wanted.shape.map((length, axis) => {
    if (!longer[axis]) return null
    return length === to
      ? placesOf(from, to)
      : Array.from({ length }, (_, i) => [Math.floor(i / (length / times)), i % (length / times)])
  })
  const size = wanted.shape.reduce((product, length) => product * length, 1)
  const values = new Float32Array(size)
  for (let at = 0; at < size; at++) {
    let [rest, source, stride] = [at, 0, 1]
    let copy: number | null = null
    let isBetween = false // of two copies, where a matrix over tokens has zeros
    for (let axis = wanted.shape.length - 1; axis >= 0; axis--) {
      const length = wanted.shape[axis] as number
      const index = rest % length
      rest = Math.floor(rest / length)
      const [own, old] = places[axis]?.[index] ?? [null, index]
      if (own !== null) {
        isBetween ||= copy !== null && copy !== own
        copy = own as number
      }
      source += stride * (old as number)
      stride *= tensor.shape[axis] as number
    }
    if (!isBetween) values[at] = tensor.values[source] as number
  }
  return { name: tensor.name, shape: [...wanted.shape], values }
}

/** Of each token of a grid the copy of the old grid that it lies in, and its token there. */
function placesOf(from: number, to: number): number[][] {
  const [side, target] = [Math.sqrt(from), Math.sqrt(to)]
  const across = target / side
  return Array.from({ length: to }, (_, at) => {
    const [row, column] = [Math.floor(at / target), at % target]
    const copy = Math.floor(row / side) * across + Math.floor(column / side)
    return [copy, (row % side) * side + (column % side)]
  })
}
