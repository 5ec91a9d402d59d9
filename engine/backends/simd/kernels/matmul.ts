import { broadcast_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import type { Exports } from '../binary.ts'
import { callAll, cut, nanoseconds } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { GROUPS, inGroups } from './matmulGroups.ts'
import { sumRows } from './reductions.ts'

/** `[..., m, k]` times `[..., k, n]`, either transposed; a batch of one goes with any batch. */
const batchMatMul: SimdKernel = ({ inputs, attrs, backend }) => {
  const [a, b] = [inputs.a, inputs.b] as [TensorInfo, TensorInfo]
  if (a.dtype !== 'float32' || b.dtype !== 'float32') return null
  const { transposeA, transposeB } = attrs as { transposeA: boolean; transposeB: boolean }
  const [rowsA, columnsA] = a.shape.slice(-2) as [number, number]
  const [rowsB, columnsB] = b.shape.slice(-2) as [number, number]
  const [m, k] = transposeA ? [columnsA, rowsA] : [rowsA, columnsA]
  const n = transposeB ? rowsB : columnsB
  const [batchA, batchB] = [a, b].map(({ shape }) => util.sizeFromShape(shape.slice(0, -2))) as [number, number]
  if (batchA !== batchB && batchA !== 1 && batchB !== 1) return null
  const batch = batchA === 1 ? batchB : batchA
  const shape = broadcast_util.assertAndGetBroadcastShape(a.shape.slice(0, -2), b.shape.slice(0, -2))
  const { info, address } = backend.output([...shape, m, n])
  if (util.sizeFromShape(info.shape) === 0) return info

  const [left, right] = [backend.address(a), backend.address(b)]
  const flags: Flags = [Number(transposeA), Number(transposeB)]
  if (batch === 1 && transposeA && !transposeB && inGroups(m, k, n, attrs.terms as number | undefined)) {
    const terms = k / GROUPS
    backend.withScratch(4 * GROUPS * m * n, (sums) => {
      const sizes = { batch: GROUPS, aStep: terms * m, bStep: terms * n, m, k: terms, n }
      multiply(backend, [left, right, sums], sizes, flags)
      sumRows(backend, sums, address, GROUPS, m * n)
    })
    return info
  }
  const [aStep, bStep] = [batchA === 1 ? 0 : m * k, batchB === 1 ? 0 : k * n]
  multiply(backend, [left, right, address], { batch, aStep, bStep, m, k, n }, flags)
  return info
}

type Flags = [transA: number, transB: number]

/** Sizes of a product, and the elements from sample to sample of its factors. */
interface Sizes {
  batch: number
  aStep: number
  bStep: number
  m: number
  k: number
  n: number
}

/** The product of each sample, by all threads where that pays; with `add` it is added to what is at `out`. */
export function multiply(
  backend: SimdBackend,
  [left, right, address]: [a: number, b: number, out: number],
  { batch, aStep, bStep, m, k, n }: Sizes,
  flags: Flags,
  add = false,
): void {
  const bias = Number(add)
  const parts = partsOf(backend, batch, m, k, n)
  const room = { bytes: backend.wasm.matmulScratch(m, k, n), operand: SCRATCH }
  if (parts === 1 || batch >= parts) {
    const calls = cut(batch, parts).map(({ from, count }): Parameters<Exports['batchMatmul']> => {
      const [a, b, out] = [left + 4 * from * aStep, right + 4 * from * bStep, address + 4 * from * m * n]
      return [a, b, out, count, aStep, bStep, m, k, n, ...flags, bias, 0]
    })
    callAll(backend, 'batchMatmul', calls, room)
  } else {
    const operands = [left, right, address, batch, aStep, bStep, m, k, n, ...flags, bias, 0] as const
    // each part packs what it needs of both matrices: the larger one is better cut up
    const shares = n > m ? cut(n, parts, TILE_COLUMNS) : cut(m, parts, TILE_ROWS)
    const calls = shares.map(({ from, count }): Parameters<Exports['matmulPart']> => {
      const [own, all] = [
        [from, from + count],
        [0, n > m ? m : n],
      ] as const
      return [...operands, ...(n > m ? all : own), ...(n > m ? own : all)]
    })
    callAll(backend, 'matmulPart', calls, room)
  }
}

/** The operand of both kernels that is the address of their scratch. */
const SCRATCH = 12
/** Parts begin at multiples of the tile; see assembly/matmulTile.ts. */
export const TILE_ROWS = 6
const TILE_COLUMNS = 8
/** Rows or columns of a part at least: each part packs the other matrix anew. */
const LINES = 64

/** Into how many parts a product is cut. */
function partsOf(backend: SimdBackend, batch: number, m: number, k: number, n: number): number {
  const parts = backend.parts(nanoseconds('batchMatmul', batch * m * k * n))
  const possible = batch > 1 ? batch : Math.floor(Math.max(m, n) / LINES)
  return Math.max(Math.min(parts, backend.pool.threads), Math.min(possible, parts))
}

export const matmulKernels: SimdKernels = { BatchMatMul: batchMatMul }
