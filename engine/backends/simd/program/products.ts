import { sizeOf, type Use } from '../../../compile/graph.ts'
import { GROUPS } from '../kernels/matmulGroups.ts'
import { type Cut, type Instruction, type Lowering, type OperandAddress, partOf } from './instruction.ts'

/** Right matrices of fewer elements are not worth packing ahead; see assembly/matmul.ts. */
const WORTH_PACKING = 4096
/** Nor are they for so few rows. */
const FEW_ROWS = 12

/**
 * A matrix product is cut along its samples, or along rows of a single one or of each. The weight gradient, whose sums go
 * over the batch, cannot be.
 */
const batchMatMul: Lowering = ({ inputs, outputs, attributes }, cut) => {
  const { wasm } = cut
  const [a, b, out] = [inputs.a, inputs.b, outputs[0]] as [Use, Use, Use]
  const { transposeA, transposeB } = attributes as { transposeA: boolean; transposeB: boolean }
  const [rowsA, columnsA] = a.shape.slice(-2) as [number, number]
  const [rowsB, columnsB] = b.shape.slice(-2) as [number, number]
  const [m, k] = transposeA ? [columnsA, rowsA] : [rowsA, columnsA]
  const n = transposeB ? rowsB : columnsB
  const [batchA, batchB] = [sizeOf(a) / (m * k), sizeOf(b) / (k * n)]
  if (sizeOf(out) === 0 || k === 0 || a.dtype !== 'float32' || b.dtype !== 'float32') return null

  // samples that share the right matrix are as many rows
  const rows = batchB === 1 && !transposeA ? partOf(batchA * m, cut) : null
  if (rows) return ofRows({ part: a }, { b, transposeB, byExample: false }, out, [rows, k, n], cut)

  const batch = Math.max(batchA, batchB)
  if (batch === 1 || (batchA !== batch && batchA !== 1) || (batchB !== batch && batchB !== 1)) return null
  if (cut.rows) {
    const own = batch === cut.batch && batchB === batch && !transposeA ? partOf(batch * m, cut) : null
    const left = batchA === 1 ? { rows: a } : { part: a }
    return own ? ofRows(left, { b, transposeB, byExample: true }, out, [own, k, n], cut) : null
  }
  const samples = partOf(batch, cut)
  if (!samples) return null
  const left = batchA === 1 ? { whole: a } : { part: a }
  const right = batchB === 1 ? { whole: b } : { part: b }
  const steps = [batchA === 1 ? 0 : m * k, batchB === 1 ? 0 : k * n]
  const scratch = { scratch: wasm.matmulScratch(m, k, n) }
  const numbers = [samples, ...steps, m, k, n, Number(transposeA), Number(transposeB), 0]
  return [{ kernel: 'batchMatmul', operands: [left, right, { part: out }, ...numbers, scratch] }]
}

/** Some rows of a product with a right matrix that is there for all chunks, or for those of an example. */
function ofRows(
  left: OperandAddress,
  { b, transposeB, byExample }: { b: Use; transposeB: boolean; byExample: boolean },
  out: Use,
  [m, k, n]: [number, number, number],
  { wasm }: Cut,
): Instruction[] {
  if (m > FEW_ROWS && k * n > WORTH_PACKING) {
    const size = wasm.packedBytes(k, n) / 4
    const numbers = [k, n, Number(transposeB)]
    const right = { packed: b, by: { kernel: 'packMatrix', size, byExample, numbers } as const }
    const scratch = { scratch: wasm.packedScratch() }
    return [{ kernel: 'matmulPacked', operands: [left, right, { part: out }, m, k, n, scratch] }]
  }
  const scratch = { scratch: wasm.matmulScratch(m, k, n) }
  const numbers = [1, 0, 0, m, k, n, 0, Number(transposeB), 0]
  return [
    {
      kernel: 'batchMatmul',
      operands: [left, byExample ? { example: b } : { whole: b }, { part: out }, ...numbers, scratch],
    },
  ]
}

/** What a chunk adds to the sums of its group: `[k, m]^T [k, n]`, k along the batch. */
const groupedProduct: Lowering = ({ inputs, outputs }, { chunks, rows, wasm }) => {
  const [a, b, out] = [inputs.a, inputs.b, outputs[0]] as [Use, Use, Use]
  const [, m, n] = out.shape as [number, number, number]
  const k = sizeOf(a) / m / chunks
  if (rows || chunks % GROUPS || !Number.isInteger(k) || a.dtype !== 'float32' || b.dtype !== 'float32') return null
  const scratch = { scratch: wasm.matmulScratch(m, k, n) }
  const operands = [{ part: a }, { part: b }, { group: out }, 1, 0, 0, m, k, n, 1, 0, { again: true as const }, scratch]
  return [{ kernel: 'batchMatmul', operands }]
}

export const products: Record<string, Lowering> = { BatchMatMul: batchMatMul, GroupedProduct: groupedProduct }
