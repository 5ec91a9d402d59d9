import { util } from '@tensorflow/tfjs-core'
import type { SimdBackend } from './backend.ts'
import { CALLS, type Exports } from './binary.ts'

/** A kernel that any thread can call. */
export type Shared = (typeof CALLS)[number]

/**
 * About the nanoseconds that one thread takes for an element, in products for a multiplication; 0.1 where this has none.
 */
const NANOSECONDS: Partial<Record<Shared, number>> = {
  batchMatmul: 0.03,
  matmulPart: 0.03,
  unary: 0.3,
  logarithm: 5,
  binary: 0.12,
  gelu: 0.6,
  geluGrad: 1.1,
  layerNorm: 0.4,
  layerNormGrad: 0.4,
  sumColumns: 0.05,
  softmax: 0.9,
  transpose: 0.15,
  fill: 0.07,
  oneHot: 0.07,
  conv2d: 0.035,
  conv2dGradInput: 0.035,
  conv2dGradFilter: 0.035,
  winograd: 0.04,
  depthwise: 0.06,
  depthwiseGradFilter: 0.06,
  averagePool: 0.3,
  maximumPool: 0.2,
  maximumPoolGrad: 0.4,
  geluSlope: 1,
  packMatrix: 0.5,
  matmulPacked: 0.03,
  crossEntropy: 0.8,
  crossEntropyGrad: 0.8,
  labelRank: 0.15,
}

/** The nanoseconds of one thread for so many elements, in products multiplications. */
export function nanoseconds(kernel: Shared, elements: number): number {
  return elements * (NANOSECONDS[kernel] ?? 0.1)
}

const NUMBERS = new Map<string, number>(CALLS.map((kernel, i) => [kernel, i]))

/** What a call names a kernel by. */
export function numberOfKernel(kernel: Shared): number {
  return NUMBERS.get(kernel) as number
}

/** Numbers of a call: the kernel and up to 23 operands. */
const CALL = 24

/** Elements that parts begin at multiples of, a cache line: so also the last ones, which fill no vector, stay the same. */
export const GRAIN = 16

/** Scratch memory of a call: its bytes, and the operand that is its address, counted from 0. */
export interface Room {
  bytes: number
  operand: number
}

/** Bytes in front of the rooms of threads; see assembly/calls.ts. */
const LINE = 64

/**
 * Calls a kernel with each of these lists of operands: by all threads, in any order and at the same time. With `room` each
 * call has so much scratch memory while it runs, and there is as much as threads need.
 */
export function callAll<K extends Shared>(
  backend: SimdBackend,
  kernel: K,
  calls: Parameters<Exports[K]>[],
  room?: Room,
): void {
  const { wasm, pool } = backend
  const [first] = calls
  if (first && calls.length === 1) {
    const call = (operands: number[]) => (wasm[kernel] as (...operands: number[]) => void)(...operands)
    if (room) backend.withScratch(room.bytes, (scratch) => call((first as number[]).with(room.operand, scratch)))
    else call(first)
    return
  }
  backend.withScratch(8 * CALL * calls.length, (address) => {
    const write = () => {
      const numbers = new Float64Array(backend.buffer, address, CALL * calls.length)
      let at = 0
      for (const operands of calls) {
        numbers[at] = numberOfKernel(kernel)
        for (let i = 0; i < operands.length; i++) numbers[at + 1 + i] = operands[i] as number
        at += CALL
      }
    }
    if (!room) {
      write()
      wasm.runCalls(pool.address, address, calls.length)
      return
    }
    const rooms = Math.min(pool.threads, calls.length)
    backend.withScratch(LINE + rooms * room.bytes, (free) => {
      write()
      new Uint32Array(backend.buffer, free, 1)[0] = 2 ** rooms - 1
      wasm.runCallsInRooms(pool.address, address, calls.length, free, room.bytes, room.operand)
    })
  })
}

/**
 * Calls a kernel for `size` items of `each` elements that do not depend on each other: in parts by all threads where that
 * pays. `operands` are those for `count` items from item `from`.
 */
export function share<K extends Shared>(
  backend: SimdBackend,
  kernel: K,
  size: number,
  each: number,
  operands: (from: number, count: number) => Parameters<Exports[K]>,
): void {
  const parts = backend.parts(nanoseconds(kernel, size * each))
  if (parts === 1) callAll(backend, kernel, [operands(0, size)])
  else {
    const calls = cut(size, parts, each === 1 ? GRAIN : 1).map(({ from, count }) => operands(from, count))
    callAll(backend, kernel, calls)
  }
}

/** Some of a row of items. */
export interface Share {
  from: number
  count: number
}

/** `size` items in up to `parts` parts, which begin at multiples of `grain`; none is empty unless all is. */
export function cut(size: number, parts: number, grain = 1): Share[] {
  const grains = Math.ceil(size / grain)
  const length = Math.max(1, Math.min(parts, grains))
  const start = (i: number) => Math.min(size, Math.floor((grains * i) / length) * grain)
  return Array.from({ length }, (_, i) => ({ from: start(i), count: start(i + 1) - start(i) }))
}

export type Four = [number, number, number, number]

/** A loop over four axes, and where its operands begin. */
export interface Loop<Addresses> {
  addresses: Addresses
  sizes: Four
  /** For each operand the elements from index to index of each axis. */
  steps: Four[]
  /** Elements that the work on an index of all axes goes through, 1 if not given. */
  each?: number
  /** What the parts of each axis begin at multiples of; where that is 1, an axis is cut up before the next one is. */
  grains?: Four
}

/** Calls a kernel for a loop whose indices do not depend on each other: in parts by all threads where that pays. */
export function shareLoop<K extends Shared, Addresses extends [number, ...number[]]>(
  backend: SimdBackend,
  kernel: K,
  { addresses, sizes, steps, each = 1, grains = [1, 1, 1, GRAIN] }: Loop<Addresses>,
  operands: (addresses: Addresses, sizes: Four) => Parameters<Exports[K]>,
): void {
  const calls: Parameters<Exports[K]>[] = []
  const walk = (axis: number, wanted: number, starts: number[], cutSizes: number[]): void => {
    if (axis === sizes.length) {
      calls.push(operands(starts as Addresses, cutSizes as Four))
      return
    }
    const own = cut(sizes[axis] as number, wanted, grains[axis])
    for (const { from, count } of own) {
      const moved = starts.map((start, i) => start + 4 * from * (steps[i]?.[axis] as number))
      walk(axis + 1, Math.ceil(wanted / own.length), moved, [...cutSizes, count])
    }
  }
  const parts = backend.parts(nanoseconds(kernel, util.sizeFromShape(sizes) * each))
  if (parts === 1) calls.push(operands(addresses, sizes))
  else walk(0, parts, addresses, [])
  callAll(backend, kernel, calls)
}
