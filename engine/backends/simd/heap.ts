import { MixlabError } from '../../errors.ts'
import { blockSize, createFreeBlocks, type HeapBlock, UNIT } from './freeBlocks.ts'

const PAGE = 65_536
/** Pages and bytes of the largest memory that WebAssembly can address: 4 GiB. */
export const MAX_PAGES = 65_536
export const MAX_BYTES = PAGE * MAX_PAGES
const MIB = 2 ** 20
/** Bytes below which a block is cut from the end of a free one, so that it does not begin where large ones would. */
const SMALL = 65_536

/** Blocks of a WebAssembly memory. */
export interface Heap {
  /** A block of at least `bytes`. Throws MixlabError `backend` where the memory has none and cannot grow so far. */
  allocate(bytes: number): HeapBlock
  /** The block of `bytes`, rounded up to whole cache lines, at a multiple of them; null where not all of it is free. */
  allocateAt(address: number, bytes: number): HeapBlock | null
  /** The parts of the memory that are in use now, from 0 on and apart from each other. */
  taken(): { address: number; end: number }[]
  release(block: HeapBlock): void
  /** Moves the blocks that are in use down to each other, in their order; `move` moves so many bytes, which may overlap. */
  pack(move: (from: number, to: number, bytes: number) => void): void
  /** Bytes in blocks that are in use, now and at most since the last `forget`, and bytes of the memory. */
  usage(): { used: number; peak: number; size: number }
  /** Begins to count the peak anew. */
  forget(): void
}

/**
 * A heap in a memory, of which the first `start` bytes are taken. Free neighbours are one block at once, so that what
 * one model leaves serves the next, whatever its sizes. `grown` is called when the memory has grown: views of one that
 * is not shared are void then.
 */
export function createHeap(memory: WebAssembly.Memory, start: number, grown = () => {}): Heap {
  const free = createFreeBlocks()
  const first = Math.ceil(start / UNIT) * UNIT
  let size = memory.buffer.byteLength
  let last = blockAt(first, size - first, null)
  let used = 0
  let peak = 0
  free.add(last)

  /** The free block at the end after growing, of at least `bytes`. */
  function extend(bytes: number): HeapBlock {
    const missing = bytes - (last.free ? last.size : 0)
    try {
      memory.grow(Math.ceil(missing / PAGE))
    } catch {
      throw exhausted(bytes) // beyond its maximum, or refused by the system
    }
    const more = blockAt(size, memory.buffer.byteLength - size, last)
    size += more.size
    last.after = more
    last = more
    give(more)
    grown()
    return last
  }

  /** Makes a block free, and one with its free neighbours. */
  function give(block: HeapBlock): void {
    const { before, after } = block
    if (after?.free) {
      free.remove(after)
      join(block, after)
    }
    if (before?.free) {
      free.remove(before)
      join(before, block)
      free.add(before)
    } else free.add(block)
  }

  /** Cuts a block after so many bytes; returns what follows. */
  function split(block: HeapBlock, bytes: number): HeapBlock {
    const rest = blockAt(block.address + bytes, block.size - bytes, block)
    block.size = bytes
    rest.after = block.after
    block.after = rest
    if (rest.after) rest.after.before = rest
    else last = rest
    return rest
  }

  function join(block: HeapBlock, after: HeapBlock): void {
    block.size += after.size
    block.after = after.after
    if (after.after) after.after.before = block
    else last = block
  }

  function endOfUse(): number {
    return last.free ? last.address : size
  }

  function exhausted(bytes: number): MixlabError {
    let largest = 0
    for (let block: HeapBlock | null = last; block; block = block.before) {
      if (block.free) largest = Math.max(largest, block.size)
    }
    const mib = (each: number) => `${Math.ceil(each / MIB)} MiB`
    const left = `${mib(size - first - used)} free in pieces of at most ${mib(largest)}`
    const state = `${mib(bytes)} wanted, ${mib(used)} in use, ${left}`
    const advice = 'take smaller batches, or the same in parts (train.accumulate)'
    return new MixlabError('backend', 'simd', `out of memory: ${state}, and no more to be had; ${advice}`)
  }

  return {
    allocate: (bytes) => {
      if (bytes > MAX_BYTES) throw exhausted(bytes)
      const wanted = blockSize(bytes)
      const found = free.find(wanted) ?? extend(wanted)
      free.remove(found)
      const left = found.size - wanted
      // not from the end of the memory, behind which a larger block could not go on from what is free
      const block = left > 0 && wanted < SMALL && found !== last ? split(found, left) : found
      if (left > 0) free.add(block === found ? split(found, wanted) : found)
      used += wanted
      if (used > peak) peak = used
      return block
    },
    allocateAt: (address, bytes) => {
      const wanted = Math.max(1, Math.ceil(bytes / UNIT)) * UNIT
      const end = address + wanted
      if (end > size && end <= MAX_BYTES && endOfUse() <= address) extend(end - endOfUse())
      let block: HeapBlock | null = last
      while (block && block.address > address) block = block.before
      if (!block?.free || block.address + block.size < end) return null
      free.remove(block)
      if (block.address < address) {
        const rest = split(block, address - block.address)
        free.add(block)
        block = rest
      }
      if (block.size > wanted) free.add(split(block, wanted))
      used += wanted
      if (used > peak) peak = used
      return block
    },
    taken: () => {
      const parts: { address: number; end: number }[] = []
      for (let block: HeapBlock | null = last; block; block = block.before) {
        const [next] = parts
        if (next && !block.free && block.address + block.size === next.address) next.address = block.address
        else if (!block.free) parts.unshift({ address: block.address, end: block.address + block.size })
      }
      return [{ address: 0, end: first }, ...parts]
    },
    release: (block) => {
      used -= block.size
      give(block)
    },
    pack: (move) => {
      const blocks: HeapBlock[] = []
      for (let block: HeapBlock | null = last; block; block = block.before) {
        if (block.free) free.remove(block)
        else blocks.unshift(block)
      }
      let end = first
      let before: HeapBlock | null = null
      for (const block of blocks) {
        if (block.address > end) move(block.address, end, block.size)
        block.address = end
        block.before = before
        if (before) before.after = block
        before = block
        end += block.size
      }
      last = blockAt(end, size - end, before)
      if (before) before.after = last
      free.add(last)
    },
    usage: () => ({ used, peak, size }),
    forget: () => {
      peak = used
    },
  }
}

function blockAt(address: number, size: number, before: HeapBlock | null): HeapBlock {
  return { address, size, free: false, before, after: null, previous: null, next: null }
}
