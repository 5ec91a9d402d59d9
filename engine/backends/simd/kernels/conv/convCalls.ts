import type { SimdBackend } from '../../backend.ts'
import type { Exports } from '../../binary.ts'
import { callAll, share } from '../../share.ts'
import { GEOMETRY, type Geometry, wordsOf } from './convGeometry.ts'

type Kernel =
  | 'conv2d'
  | 'conv2dGradInput'
  | 'conv2dGradFilter'
  | 'depthwise'
  | 'depthwiseGradFilter'
  | 'averagePool'
  | 'maximumPool'
  | 'maximumPoolGrad'
  | 'winograd'
  | 'winogradGradFilter'

/** What comes behind the geometry and the scratch. */
type Operands = [a: number, b: number, out: number, from: number, to: number, row?: number]

/** Calls a kernel for all parts, each with `room` bytes of scratch while it runs: by all threads. */
export function callParts<K extends Kernel, Part>(
  backend: SimdBackend,
  kernel: K,
  geometry: Geometry,
  parts: Part[],
  room: number,
  operands: (part: Part, i: number) => Operands,
): void {
  backend.withScratch(4 * GEOMETRY.length, (address) => {
    new Int32Array(backend.buffer, address, GEOMETRY.length).set(wordsOf(geometry))
    const calls = parts.map((part, i) => [address, 0, ...operands(part, i)])
    callAll(backend, kernel, calls as Parameters<Exports[K]>[], { bytes: room, operand: 1 })
  })
}

/** Runs `body` with room for `terms` arrays of `size` floats, side by side, and writes their sum. */
export function withSum(
  backend: SimdBackend,
  terms: number,
  size: number,
  out: number,
  body: (address: number) => void,
): void {
  if (terms === 1) {
    body(out)
    return
  }
  backend.withScratch(4 * terms * size, (address) => {
    body(address)
    share(backend, 'sumColumns', size, 1, (i, count) => [address + 4 * i, out + 4 * i, 1, terms, size, count, 1])
  })
}
