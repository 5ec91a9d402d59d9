import { broadcast_util, type TensorInfo, util } from '@tensorflow/tfjs-core'
import type { SimdKernel, SimdKernels } from './kernel.ts'

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

  const { wasm, pool } = backend
  const [aStep, bStep] = [batchA === 1 ? 0 : m * k, batchB === 1 ? 0 : k * n]
  const [left, right] = [backend.address(a), backend.address(b)]
  const flags = [Number(transposeA), Number(transposeB)] as const
  const operands = [left, right, address, batch, aStep, bStep, m, k, n, ...flags, 0] as const
  const tasks = partsOf(batch, m, k, n, pool.threads)
  const scratchStep = wasm.matmulScratch(m, k, n)
  backend.withScratch(tasks * scratchStep, (scratch) => {
    if (tasks === 1) wasm.batchMatmul(...operands, scratch)
    else wasm.batchMatmulParts(pool.address, tasks, ...operands, scratch, scratchStep)
  })
  return info
}

/** Fewer multiply-adds than this are done before another thread wakes up. */
const WORTH_SHARING = 200_000
/** Rows of a part: each part packs the right matrix anew. */
const ROWS = 64

/** Into how many parts a product is cut: a few for each thread, so that none waits long for another. */
function partsOf(batch: number, m: number, k: number, n: number, threads: number): number {
  if (threads === 1 || batch * m * k * n < WORTH_SHARING) return 1
  const possible = batch > 1 ? batch : Math.floor(m / ROWS)
  return Math.max(threads, Math.min(possible, 4 * threads))
}

export const matmulKernels: SimdKernels = { BatchMatMul: batchMatMul }
