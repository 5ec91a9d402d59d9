import type { GpuDevice } from './gpu.ts'

/**
 * The buffers that hold the floats of a plan: one, or, where no buffer of a card may be so large, several pages one after
 * the other. A value may begin in one and end in the next.
 */
export interface Pages {
  count: number
  /** Elements of a page; with several a power of two. */
  elements: number
}

type Limits = GpuDevice['limits']

/** The pages of so many floats, as few as a card allows. Throws where a shader cannot see so many. */
export function pagesFor(limits: Limits, floats: number): Pages {
  const most = largestBuffer(limits)
  if (4 * floats <= most) return { count: 1, elements: floats }
  const elements = 2 ** Math.floor(Math.log2(most / 4))
  const count = Math.ceil(floats / elements)
  const room = limits.maxStorageBuffersPerShaderStage - 1 // integers have one
  if (count <= room) return { count, elements }
  throw new Error(
    `needs ${mebibytes(4 * floats)} MiB, and this card lets a program have ${room} buffers of ${mebibytes(4 * elements)} MiB; a smaller batch takes less`,
  )
}

/** Bytes of the largest buffer that a shader can see. */
export function largestBuffer({ maxStorageBufferBindingSize, maxBufferSize }: Limits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize)
}

/** The parts of `size` elements from `offset` on, page by page: the first is element `at` of its page, `from` of all. */
export function piecesOf({ count, elements }: Pages, offset: number, size: number) {
  const pieces: { page: number; at: number; from: number; size: number }[] = []
  for (let from = 0; from < size; ) {
    const page = Math.min(count - 1, Math.floor((offset + from) / elements))
    const at = offset + from - page * elements
    const own = page === count - 1 ? size - from : Math.min(size - from, elements - at)
    pieces.push({ page, at, from, size: own })
    from += own
  }
  return pieces
}

export function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20)
}
