import type { NamedTensor } from './safetensors.ts'

/** The end of the name of a parameter that holds the diagonals of a matrix, and of the matrix itself. */
const [DIAGONALS, MATRIX] = [/(^|\.)toeplitz$/, /(^|\.)weight$/]

/** W[i][j] = w[(n - 1) + (j - i)], `[2n - 1]` to `[n, n]`, as in nn/layers/tokenDense.ts. */
export function writtenOut(diagonals: Float32Array): Float32Array {
  const n = (diagonals.length + 1) / 2
  return Float32Array.from({ length: n * n }, (_, at) => diagonals[n - 1 + (at % n) - Math.floor(at / n)] ?? 0)
}

/** The sums along the diagonals of a matrix `[n, n]`, from the lower left: gradients of diagonals from those of entries. */
export function diagonalSums(matrix: Float32Array): Float32Array {
  const n = Math.sqrt(matrix.length)
  const sums = new Float64Array(2 * n - 1)
  for (const [at, value] of matrix.entries()) {
    const diagonal = n - 1 + (at % n) - Math.floor(at / n)
    sums[diagonal] = (sums[diagonal] as number) + value
  }
  return Float32Array.from(sums)
}

/** Tensors with the matrices of Toeplitz form as `[n, n]`, under the name that matrices have in timm. */
export function withMatrices(tensors: NamedTensor[]): NamedTensor[] {
  return tensors.map((tensor) => {
    if (!DIAGONALS.test(tensor.name) || tensor.shape.length !== 1) return tensor
    const n = (tensor.values.length + 1) / 2
    const values = writtenOut(tensor.values as Float32Array)
    return { name: tensor.name.replace(DIAGONALS, '$1weight'), shape: [n, n], values }
  })
}

/** Tensors with matrices of Toeplitz form as their diagonals, where a model wants these: the names that it `wants`. */
export function withDiagonals(tensors: readonly NamedTensor[], wants: ReadonlySet<string>): NamedTensor[] {
  return tensors.map((tensor) => {
    if (wants.has(tensor.name)) return tensor
    const diagonals = diagonalsOf(tensor)
    return diagonals && wants.has(diagonals.name) ? diagonals : tensor
  })
}

/** The diagonals of a matrix of Toeplitz form again, under their own name; null for any other tensor. */
function diagonalsOf({ name, shape, values }: NamedTensor): NamedTensor | null {
  const [n = 0, columns] = shape
  if (!MATRIX.test(name) || shape.length !== 2 || n !== columns) return null
  const at = (i: number, j: number) => values[i * n + j] as number
  for (let i = 1; i < n; i++) for (let j = 1; j < n; j++) if (at(i, j) !== at(i - 1, j - 1)) return null
  const diagonals = Float32Array.from({ length: 2 * n - 1 }, (_, d) => (d < n ? at(n - 1 - d, 0) : at(0, d - n + 1)))
  return { name: name.replace(MATRIX, '$1toeplitz'), shape: [2 * n - 1], values: diagonals }
}
