import { MixlabError } from '../../errors.ts'

const PAGE = 65_536
/** Pages of the largest memory that WebAssembly can address: 4 GiB. */
export const MAX_PAGES = 65_536
/** Smallest block, in bytes; every block is a multiple of it and so aligned for 128-bit loads. */
const GRAIN = 64
/** Most that a single growth asks for beyond what is needed, in bytes. */
const HEADROOM = 64 * 1024 * 1024

/** Blocks of a WebAssembly memory. */
export interface Heap {
  /** Address of a block of at least `bytes`. Throws MixlabError `backend` when 4 GiB are not enough. */
  allocate(bytes: number): number
  /** Gives a block back; `bytes` as it was allocated. */
  release(address: number, bytes: number): void
  /** Bytes in blocks that are in use, now and at most so far. */
  usage(): { used: number; peak: number }
}

/**
 * Size classes, four to an octave, each with a list of free blocks: training asks for the same sizes in every step, so
 * that after the first step nothing grows. `start` is the first address that is free. `grown` is called when the memory
 * has grown: views of one that is not shared are void then.
 */
export function createHeap(memory: WebAssembly.Memory, start: number, grown = () => {}): Heap {
  const free = new Map<number, number[]>()
  let end = Math.ceil(start / GRAIN) * GRAIN
  let used = 0
  let peak = 0

  function extend(bytes: number): number {
    const address = end
    const missing = address + bytes - memory.buffer.byteLength
    if (missing > 0 && !grow(missing + Math.min(HEADROOM, missing + address / 4)) && !grow(missing)) {
      const [asked, have] = [bytes, used].map((size) => `${(size / 2 ** 20).toFixed(0)} MiB`)
      throw new MixlabError('backend', 'simd', `out of memory: ${asked} more than the ${have} in use, at most 4096 MiB`)
    }
    end = address + bytes
    return address
  }

  /** Whether the memory has `bytes` more now; refused beyond its maximum, or by the system. */
  function grow(bytes: number): boolean {
    try {
      memory.grow(Math.ceil(bytes / PAGE))
    } catch {
      return false
    }
    grown()
    return true
  }

  return {
    allocate: (bytes) => {
      const size = sizeClass(bytes)
      const address = free.get(size)?.pop() ?? extend(size)
      used += size
      peak = Math.max(peak, used)
      return address
    },
    release: (address, bytes) => {
      const size = sizeClass(bytes)
      const blocks = free.get(size)
      if (blocks) blocks.push(address)
      else free.set(size, [address])
      used -= size
    },
    usage: () => ({ used, peak }),
  }
}

/** The size of the block for `bytes`: the next of 4, 5, 6 or 7 eighths of a power of two. */
function sizeClass(bytes: number): number {
  if (bytes <= GRAIN) return GRAIN
  const step = Math.max(GRAIN, 2 ** (Math.floor(Math.log2(bytes - 1)) - 2))
  return Math.ceil(bytes / step) * step
}
