import type { TensorInfo } from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backend.ts'
import { callAll, cut, nanoseconds, share } from '../share.ts'
import type { SimdKernel, SimdKernels } from './kernel.ts'
import { multiply, TILE_ROWS } from './matmul.ts'

/**
 * The cross entropy of logits x weight^T, and the gradients of it times `dy`: of `[rows, dim]`, `[classes, dim]`, labels and
 * dy `[rows]`. Gives the loss of each row, the gradients by x and by weight, and the memory in which it works: the logits of
 * `tile` rows, then their gradient, and weight packed for the products of both. What is summed over rows goes on from tile
 * to tile in float32, in their order, as one product does it: with the bits of the operations one by one.
 */
const headLoss: SimdKernel = ({ inputs, attrs, backend }) => {
  const { x, weight, labels, dy } = inputs as Record<'x' | 'weight' | 'labels' | 'dy', TensorInfo>
  const { tile } = attrs as { tile: number }
  const [classes, dim] = weight.shape as [number, number]
  const rows = labels.shape[0] as number
  const { wasm } = backend
  const shapes = [[rows], [rows, dim], [classes, dim], [tile, classes]]
  const sizes = [wasm.packedBytes(dim, classes) / 4, wasm.packedBytes(classes, dim) / 4]
  const made = [...shapes, ...sizes.map((size) => [size])].map((shape) => backend.output(shape))
  const [loss, dx, dweight, logits, up, down] = made.map(({ address }) => address) as Six
  const [from, table, chosen, slope] = [x, weight, labels, dy].map((each) => backend.address(each)) as Four
  callAll(backend, 'packMatrix', [
    [table, up, dim, classes, 1],
    [table, down, classes, dim, 0],
  ])
  backend.withScratch(4 * tile, (normaliser) => {
    for (let first = 0; first < rows; first += tile) {
      const count = Math.min(tile, rows - first)
      const some = from + 4 * first * dim
      multiplyPacked(backend, [some, up, logits], count, dim, classes)
      share(backend, 'crossEntropy', count, classes, (i, part) => {
        const [own, row] = [logits + 4 * i * classes, 4 * (first + i)]
        return [own, chosen + row, loss + row, normaliser + 4 * i, part, classes]
      })
      share(backend, 'crossEntropyGrad', count, classes, (i, part) => {
        const [own, row] = [logits + 4 * i * classes, 4 * (first + i)]
        return [slope + row, own, chosen + row, normaliser + 4 * i, own, part, classes]
      })
      multiplyPacked(backend, [logits, down, dx + 4 * first * dim], count, classes, dim)
      const product = { batch: 1, aStep: 0, bStep: 0, m: classes, k: count, n: dim }
      multiply(backend, [logits, some, dweight], product, [1, 0], first > 0)
    }
  })
  return made.map(({ info }) => info)
}

type Four = [x: number, weight: number, labels: number, dy: number]
type Six = [loss: number, dx: number, dweight: number, logits: number, up: number, down: number]

/** The product of `[m, k]` and a packed matrix `[k, n]`, by all threads. */
function multiplyPacked(
  backend: SimdBackend,
  [left, packed, out]: [left: number, packed: number, out: number],
  m: number,
  k: number,
  n: number,
): void {
  const parts = cut(m, backend.parts(nanoseconds('matmulPacked', m * k * n)), TILE_ROWS)
  const calls = parts.map(({ from, count }): Packed => {
    return [left + 4 * from * k, packed, out + 4 * from * n, count, k, n, 0]
  })
  callAll(backend, 'matmulPacked', calls, { bytes: backend.wasm.packedScratch(), operand: SCRATCH })
}

/** The operand of the kernel that is the address of its scratch. */
const SCRATCH = 6

type Packed = Parameters<SimdBackend['wasm']['matmulPacked']>

export const headKernels: SimdKernels = { HeadLoss: headLoss }
