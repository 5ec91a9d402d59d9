/** Every block is a multiple of so many bytes, and so aligned for 128-bit loads and cache lines. */
export const UNIT = 64

/** A piece of the memory, free or in use. All of them together are the memory, without gaps. */
export interface HeapBlock {
  address: number
  /** Bytes. */
  size: number
  free: boolean
  /** Its neighbours in memory. */
  before: HeapBlock | null
  after: HeapBlock | null
  /** Its neighbours in the list of its class, while it is free. */
  previous: HeapBlock | null
  next: HeapBlock | null
}

/** The free blocks of a memory of up to 4 GiB. */
export interface FreeBlocks {
  add(block: HeapBlock): void
  remove(block: HeapBlock): void
  /** A block of at least `size` bytes, which `sizeOf` gave. It stays. */
  find(size: number): HeapBlock | null
}

/** Rows of 32 classes: sizes in grains one by one, then 32 to an octave, up to 2^26 grains. */
const ROWS = 23

/**
 * Lists of free blocks by class of size, with a bit for each that is not empty, so that nothing is ever searched: TLSF
 * (Masmano, Ripoll, Crespo and Real 2004), its records outside of the memory.
 */
export function createFreeBlocks(): FreeBlocks {
  const lists: (HeapBlock | null)[] = Array(32 * ROWS).fill(null)
  const filled = new Int32Array(ROWS) // a bit for each list of a row
  let rows = 0 // a bit for each row

  return {
    add: (block) => {
      const at = classOf(block.size)
      const next = lists[at] as HeapBlock | null
      block.free = true
      block.previous = null
      block.next = next
      if (next) next.previous = block
      lists[at] = block
      filled[at >> 5] = (filled[at >> 5] as number) | (1 << (at & 31))
      rows |= 1 << (at >> 5)
    },
    remove: (block) => {
      const { previous, next } = block
      block.free = false
      block.previous = block.next = null
      if (next) next.previous = previous
      if (previous) {
        previous.next = next
        return
      }
      const at = classOf(block.size)
      lists[at] = next
      if (next) return
      filled[at >> 5] = (filled[at >> 5] as number) & ~(1 << (at & 31))
      if (filled[at >> 5] === 0) rows &= ~(1 << (at >> 5))
    },
    find: (size) => {
      const at = classOf(size)
      const row = at >> 5
      const here = (filled[row] as number) & (-1 << (at & 31))
      if (here) return lists[32 * row + lowest(here)] as HeapBlock
      const above = rows & (-2 << row)
      if (!above) return null
      const other = lowest(above)
      return lists[32 * other + lowest(filled[other] as number)] as HeapBlock
    },
  }
}

/** The size of the block for `bytes`: the next at which a class begins, up to 1/32 more. At most 4 GiB. */
export function blockSize(bytes: number): number {
  const grains = Math.max(1, Math.ceil(bytes / UNIT))
  const step = 2 ** shiftOf(grains)
  return Math.ceil(grains / step) * step * UNIT
}

/** The class of a size; all blocks of a class are at least as large as the smallest size in it. */
function classOf(size: number): number {
  const grains = size / UNIT
  const shift = shiftOf(grains)
  return 32 * shift + (grains >> shift)
}

/** Bits below the highest six. */
function shiftOf(grains: number): number {
  return Math.max(0, 26 - Math.clz32(grains))
}

/** Number of the lowest bit that is 1. */
function lowest(bits: number): number {
  return 31 - Math.clz32(bits & -bits)
}
