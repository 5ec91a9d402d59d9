import { z } from 'zod'
import type { Parameter, TokenGrid } from '../nn/scope.ts'
import { MIXING, type SafetensorsFile } from './safetensors.ts'
import type { Matrix } from './tables.ts'
import { writtenOut } from './toeplitz.ts'

/** A matrix that mixes tokens, by its name in the file: output token i gets `values[i * columns + j]` of input token j. */
export interface MixingMatrix extends Matrix {
  /** How the inputs lie in the image; null where they are no patches. */
  grid: TokenGrid | null
}

const count = z.int().min(1)
const schema = z.record(z.string(), z.tuple([count, count]).nullable())

/** Metadata that list which parameters mix tokens; none where none does. */
export function mixingOf(parameters: Pick<Parameter, 'name' | 'tokenGrid'>[]): Record<string, string> {
  const found = parameters.flatMap(({ name, tokenGrid }) => (tokenGrid === undefined ? [] : [[name, tokenGrid]]))
  return found.length > 0 ? { [MIXING]: JSON.stringify(Object.fromEntries(found)) } : {}
}

/**
 * The matrices of a weights file that mix tokens, in the order of the model, those of Toeplitz form written out. The
 * layers that made them noted it (`tokenDense`), so this holds for blocks from cells too; files from elsewhere have none.
 */
export function mixingMatrices({ tensors, metadata }: SafetensorsFile): MixingMatrix[] {
  const grids = gridsIn(metadata[MIXING])
  return tensors.flatMap(({ name, shape, values }) => {
    const grid = grids[name]
    if (grid === undefined || !(values instanceof Float32Array)) return []
    const [rows = 0, columns] = shape
    if (columns !== undefined) return [{ name, rows, columns, values, grid }]
    const n = (values.length + 1) / 2
    return [{ name, rows: n, columns: n, values: writtenOut(values), grid }]
  })
}

/** Those matrices that read patches, or where there are no patches, the tokens of a text. */
export function filtersOf<Matrix extends MixingMatrix>(matrices: readonly Matrix[]): Matrix[] {
  const patches = matrices.filter(({ grid }) => grid)
  return patches.length > 0 ? patches : matrices.filter(({ rows, columns }) => rows === columns)
}

function gridsIn(text = '{}'): z.output<typeof schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return {} // of another program
  }
}
