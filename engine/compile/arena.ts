/** Addresses in an arena are multiples of this, a cache line. */
const LINE = 64

/** Memory whose blocks are taken and given back in a known order, so that their places are found ahead. */
export interface Arena {
  /** The offset of a free block of `bytes`. */
  take(bytes: number): number
  give(offset: number): void
  /** Bytes that are needed at most. */
  size(): number
}

/**
 * An arena whose first `reserved` bytes are not given out. The first gap that is large enough is taken. A block that is no larger
 * than a `page` does not go across its end.
 */
export function createArena(reserved: number, page = Number.POSITIVE_INFINITY): Arena {
  const blocks: { offset: number; end: number }[] = [{ offset: 0, end: align(reserved) }]
  let size = align(reserved)
  return {
    take: (bytes) => {
      const needed = align(Math.max(bytes, 1))
      const from = (end: number) => (needed <= page && (end % page) + needed > page ? end + page - (end % page) : end)
      const at = blocks.findIndex(({ end }, i) => {
        return (blocks[i + 1]?.offset ?? Number.POSITIVE_INFINITY) - from(end) >= needed
      })
      const offset = from(blocks[at]?.end as number)
      blocks.splice(at + 1, 0, { offset, end: offset + needed })
      size = Math.max(size, offset + needed)
      return offset
    },
    give: (offset) => {
      const at = blocks.findIndex((block) => block.offset === offset)
      blocks.splice(at, 1)
    },
    size: () => size,
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / LINE) * LINE
}
