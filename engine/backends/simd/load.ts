import { strFromU8, unzlibSync } from 'fflate'
import { MixlabError } from '../../errors.ts'
import { type Kernels, SimdBackend } from './backend.ts'
import { type Exports, relaxed, strict } from './binary.ts'
import { MAX_PAGES } from './heap.ts'
import { createProgram } from './program/program.ts'
import type { SpawnThread } from './threads.ts'

export interface SimdOptions {
  /** Multiply, then add, also where the machine could do both at once: the same numbers on every machine. */
  strict?: boolean
  /** Threads that work together, the caller included; 1 by default. */
  threads?: number
  /** Needed for more than one thread, as is shared memory. */
  spawn?: SpawnThread
}

/** A thread has its bit in a word where a program counts them; see assembly/program.ts. */
const MAX_THREADS = 32
/** Bytes of the pool's state; see assembly/pool.ts. */
const POOL_BYTES = 128

/**
 * Starts the kernels and makes the backend. Where there is no shared memory, as in a page that is not cross-origin
 * isolated, it works with one thread. Throws MixlabError `backend` without SIMD.
 */
export async function loadSimd({ strict: exact, threads = 1, spawn }: SimdOptions = {}): Promise<SimdBackend> {
  const shared = typeof SharedArrayBuffer !== 'undefined'
  const fused = decode(relaxed, shared)
  const bytes = exact || !WebAssembly.validate(fused) ? decode(strict, shared) : fused
  if (!WebAssembly.validate(bytes)) {
    throw new MixlabError('backend', 'simd', 'this machine or browser has no WebAssembly SIMD')
  }
  const joined = spawn && shared ? Math.min(threads, MAX_THREADS) : 1
  const start = async (): Promise<Kernels> => {
    const memory = largestMemory(shared)
    const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } })
    const wasm = instance.exports as unknown as Exports
    const address = Math.ceil(wasm.heapBase() / 64) * 64
    await Promise.all(Array.from({ length: joined - 1 }, () => spawn?.({ bytes, memory, pool: address })))
    return { wasm, memory, pool: { address, end: address + POOL_BYTES, threads: joined } }
  }
  return new SimdBackend(await start(), start, createProgram)
}

/** A memory that may grow as far as the system lets it; some reserve the whole range at once. */
function largestMemory(shared: boolean): WebAssembly.Memory {
  for (let maximum = MAX_PAGES; maximum >= MAX_PAGES / 16; maximum /= 2) {
    try {
      return new WebAssembly.Memory({ initial: 16, maximum, shared })
    } catch {
      // half of it, then
    }
  }
  throw new MixlabError('backend', 'simd', 'no 256 MiB of memory to be had')
}

/** How a module declares the memory that it imports: module, name, kind, then flags, 3 for limited and shared. */
const MEMORY = '\x03env\x06memory\x02'

/**
 * The module that binary.ts carries. For memory that is not shared its import is made one of such memory, flags 1: the atomic instructions are
 * valid there too, but for waiting, which one thread never does.
 */
export function decode(base64: string, shared: boolean): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const compressed = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) compressed[i] = text.charCodeAt(i)
  const module = unzlibSync(compressed) as Uint8Array<ArrayBuffer>
  if (!shared) module[strFromU8(module, true).indexOf(`${MEMORY}\x03`) + MEMORY.length] = 1
  return module
}
