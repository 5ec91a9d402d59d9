import { describe, expect, it } from 'vitest'
import { createHeap, MAX_PAGES } from '../../../../engine/backends/simd/heap.ts'
import { integer, keyOf } from '../../../../engine/random.ts'

const heapAt = (start = 1000) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true })
  return { memory, heap: createHeap(memory, start) }
}

describe('the heap', () => {
  it('gives blocks that do not overlap, aligned to 64 bytes, inside the memory', () => {
    const { memory, heap } = heapAt()
    const blocks = new Map<number, number>()
    for (let i = 0; i < 2000; i++) {
      const [oldest] = [...blocks]
      if (oldest && integer(keyOf(1, 'release'), i, 3) === 0) {
        heap.release(...oldest)
        blocks.delete(oldest[0])
      }
      const bytes = 1 + integer(keyOf(1, 'bytes'), i, 5000)
      const address = heap.allocate(bytes)
      expect(address % 64).toBe(0)
      expect(address).toBeGreaterThanOrEqual(1000)
      expect(address + bytes).toBeLessThanOrEqual(memory.buffer.byteLength)
      blocks.set(address, bytes)
    }
    const sorted = [...blocks].sort(([a], [b]) => a - b)
    sorted.forEach(([address, bytes], i) => {
      expect(address + bytes).toBeLessThanOrEqual(sorted[i + 1]?.[0] ?? Number.POSITIVE_INFINITY)
    })
  })
  it('uses a released block again', () => {
    const { heap } = heapAt()
    const first = heap.allocate(1000)
    heap.release(first, 1000)
    expect(heap.allocate(990)).toBe(first)
  })
  it('counts what is in use, and the most so far', () => {
    const { heap } = heapAt()
    const address = heap.allocate(4096)
    heap.allocate(64)
    heap.release(address, 4096)
    expect(heap.usage()).toEqual({ used: 64, peak: 4096 + 64 })
  })
  it('wastes at most a quarter', () => {
    const { heap } = heapAt()
    for (let bytes = 256; bytes < 100_000; bytes += 517) {
      const before = heap.usage().used
      heap.allocate(bytes)
      expect(heap.usage().used - before).toBeLessThanOrEqual(bytes * 1.25 + 64)
    }
  })
  it('keeps old views alive when it grows', () => {
    const { memory, heap } = heapAt()
    const view = new Float32Array(memory.buffer, heap.allocate(64), 4)
    view.set([1, 2, 3, 4])
    heap.allocate(10_000_000)
    expect([...view]).toEqual([1, 2, 3, 4])
  })
  it('tells when the memory has grown, and only then', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: false })
    const sizes: number[] = []
    const heap = createHeap(memory, 0, () => sizes.push(memory.buffer.byteLength))
    heap.allocate(1000)
    expect(sizes).toEqual([])
    heap.allocate(1_000_000)
    expect(sizes).toEqual([memory.buffer.byteLength])
  })
  it('says how much was asked for when 4 GiB are not enough', () => {
    const { heap } = heapAt()
    expect(() => heap.allocate(5 * 2 ** 30)).toThrow(
      /^simd: out of memory: 5120 MiB more than the 0 MiB in use, at most 4096 MiB$/,
    )
    expect(heap.allocate(64)).toBeGreaterThan(0)
  })
})
