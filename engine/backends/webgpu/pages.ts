import type { GpuDevice } from './gpu.ts'

/**
 * The buffers that hold the floats of a plan: one, or, where no buffer of a card may be so large, several pages one after
 * the other. A value may begin in one and end in the next.
 */
export interface Pages {
  count: number
  /** Elements of a page; with several a power of two. */
  elements: number
  /** How many a shader sees at once. Where these are not all, each dispatch has its own. */
  seen: number
}

export type Limits = GpuDevice['limits']

/** Places of elements in the memory of a plan. */
export interface Span {
  offset: number
  size: number
}

/** One buffer for so many floats. */
export const onePage = (floats: number): Pages => ({ count: 1, elements: floats, seen: 1 })

/** The pages of so many floats, as few as a card allows. */
export function pagesFor(limits: Limits, floats: number): Pages {
  const most = largestBuffer(limits)
  if (4 * floats <= most) return onePage(floats)
  const room = Math.max(1, limits.maxStorageBuffersPerShaderStage - 1) // integers have one
  const countable = 2 ** 32 / room // a shader counts elements in 32 bits
  const elements = 2 ** Math.floor(Math.log2(Math.min(most / 4, countable)))
  const count = Math.ceil(floats / elements)
  return { count, elements, seen: Math.min(count, room) }
}

/** Bytes of the largest buffer that a shader can see. */
export function largestBuffer({ maxStorageBufferBindingSize, maxBufferSize }: Limits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize)
}

/** The page of an element. */
export function pageOf({ count, elements }: Pages, element: number): number {
  return Math.min(count - 1, Math.floor(element / elements))
}

/** The page of the last element of a place. */
export function lastPageOf(pages: Pages, { offset, size }: Span): number {
  return pageOf(pages, offset + Math.max(1, size) - 1)
}

/** The pages of a place. */
export function pagesOf(pages: Pages, span: Span): number[] {
  const first = pageOf(pages, span.offset)
  return Array.from({ length: lastPageOf(pages, span) - first + 1 }, (_, i) => first + i)
}

/** The pages that a dispatch of such places sees, in order; null where they are more than it can. */
export function windowOf(pages: Pages, spans: readonly Span[]): number[] | null {
  const found = new Set(spans.flatMap((span) => pagesOf(pages, span)))
  return found.size > pages.seen ? null : windowWith(pages, found)
}

/** These pages in order, with others up to as many as a shader sees. */
export function windowWith(pages: Pages, some: ReadonlySet<number>): number[] {
  const found = new Set(some)
  for (let page = 0; found.size < pages.seen; page++) found.add(page)
  return [...found].sort((a, b) => a - b)
}

/** The number by which a shader that sees these pages knows an element: neighbours in memory are neighbours there. */
export function seenAt(pages: Pages, window: readonly number[], element: number): number {
  const page = pageOf(pages, element)
  return element + (window.indexOf(page) - page) * pages.elements
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

/** That the values of a dispatch are in more pages than a shader can see. */
export function tooMany(label: string, { seen, elements }: Pages): Error {
  const most = `${seen} buffers of ${mebibytes(4 * elements)} MiB`
  return new Error(
    `${label} needs more at once than the ${most} that this card lets a shader see; a smaller batch takes less`,
  )
}

export function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 2 ** 20)
}
