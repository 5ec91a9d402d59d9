import { MixlabError } from '../../errors.ts'
import { SimdBackend } from './backend.ts'
import { relaxed, strict } from './binary.ts'
import type { Exports } from './exports.ts'
import { MAX_PAGES } from './heap.ts'
import type { SpawnThread } from './threads.ts'

export interface SimdOptions {
  /** Multiply, then add, also where the machine could do both at once: the same numbers on every machine. */
  strict?: boolean
  /** Threads that work together, the caller included; 1 by default. */
  threads?: number
  /** Needed for more than one thread. */
  spawn?: SpawnThread
}

/** Bytes of the pool's state; see assembly/pool.ts. */
const POOL_BYTES = 128

/** Starts the kernels and makes the backend. Throws MixlabError `backend` without SIMD or shared memory. */
export async function loadSimd({ strict: exact, threads = 1, spawn }: SimdOptions = {}): Promise<SimdBackend> {
  const fused = decode(relaxed)
  const bytes = exact || !WebAssembly.validate(fused) ? decode(strict) : fused
  if (!WebAssembly.validate(bytes)) {
    throw new MixlabError('backend', 'simd', 'this machine or browser has no WebAssembly SIMD')
  }
  if (typeof SharedArrayBuffer === 'undefined') {
    throw new MixlabError('backend', 'simd', 'needs shared memory, which a page has only when cross-origin isolated')
  }
  const memory = largestMemory()
  const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } })
  const wasm = instance.exports as unknown as Exports
  const pool = Math.ceil(wasm.heapBase() / 64) * 64
  const joined = spawn ? threads : 1
  await Promise.all(Array.from({ length: joined - 1 }, () => spawn?.({ bytes, memory, pool })))
  return new SimdBackend(wasm, memory, { address: pool, end: pool + POOL_BYTES, threads: joined })
}

/** A memory that may grow as far as the system lets it; some reserve the whole range at once. */
function largestMemory(): WebAssembly.Memory {
  for (let maximum = MAX_PAGES; maximum >= MAX_PAGES / 16; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum, shared: true })
    } catch {
      // half of it, then
    }
  }
  throw new MixlabError('backend', 'simd', 'no 256 MiB of memory to be had')
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
