import * as tf from '@tensorflow/tfjs-core'
import type { SimdBackend } from '../backends/simd/backend.ts'

/** Billions of floating-point operations a second, of one thread. */
export interface Rates {
  /** The most of the machine: multiply-adds of 128 bits in registers alone. */
  fma: number
  /** The product of `[4096, 128]` and `[128, 512]`, median. */
  matmul: number
}

const ITERATIONS = 20_000
/** Floating-point operations of one iteration; see assembly/peak.ts. */
const OPERATIONS = 96
const [ROWS, INNER, COLUMNS] = [4096, 128, 512] as const

/** Calls of each in turns, after as many others during which WebAssembly is compiled further. */
const CALLS = 60

/** Measures both on the current backend, which has to be `simd` with one thread. Takes about a second. */
export function measureRates(): Rates {
  const { wasm } = tf.backend() as SimdBackend
  const [a, b] = [tf.ones<tf.Rank.R2>([ROWS, INNER]), tf.ones<tf.Rank.R2>([INNER, COLUMNS])]
  const peaks: number[] = []
  const products: number[] = []
  for (let call = -CALLS; call < CALLS; call++) {
    const peak = rate(ITERATIONS * OPERATIONS, () => wasm.fmaPeak(ITERATIONS))
    const product = rate(2 * ROWS * INNER * COLUMNS, () => tf.matMul(a, b).dispose())
    if (call < 0) continue
    peaks.push(peak)
    products.push(product)
  }
  tf.dispose([a, b])
  products.sort((a, b) => a - b)
  return { fma: Math.max(...peaks), matmul: products[CALLS / 2] as number }
}

function rate(operations: number, run: () => void): number {
  const begun = performance.now()
  run()
  return operations / (performance.now() - begun) / 1e6
}
