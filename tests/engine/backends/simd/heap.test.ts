import { describe, expect, it } from 'vitest'
import type { HeapBlock } from '../../../../engine/backends/simd/freeBlocks.ts'
import { createHeap, MAX_PAGES } from '../../../../engine/backends/simd/heap.ts'
import { integer, keyOf } from '../../../../engine/random.ts'

const MIB = 2 ** 20
/** Smaller blocks come from the end of the memory. */
const SMALL = 65_536

const heapAt = (start = 1000, maximum = MAX_PAGES) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum, shared: true })
  return { memory, heap: createHeap(memory, start) }
}

/** From a few bytes to some MiB, each octave as often. */
function size(name: string, i: number): number {
  return 1 + integer(keyOf(1, name), i, 2 ** (3 + integer(keyOf(1, `${name}/octave`), i, 20)))
}

/** Fails unless the blocks are aligned, inside the memory, as large as was asked, and apart from each other. */
function check(blocks: Map<HeapBlock, number>, memory: WebAssembly.Memory, start: number): void {
  const sorted = [...blocks].sort(([a], [b]) => a.address - b.address)
  sorted.forEach(([{ address, size }, bytes], i) => {
    expect(address % 64).toBe(0)
    expect(address).toBeGreaterThanOrEqual(start)
    expect(size).toBeGreaterThanOrEqual(bytes)
    expect(address + size).toBeLessThanOrEqual(sorted[i + 1]?.[0].address ?? memory.buffer.byteLength)
  })
}

describe('the heap', () => {
  it.each([1, 2, 3, 4])('is what a list of blocks would be, and one free block in the end (%i)', (round) => {
    const { memory, heap } = heapAt()
    const blocks = new Map<HeapBlock, number>()
    const sum = () => [...blocks.keys()].reduce((total, block) => total + block.size, 0)
    let most = 0
    for (let i = 0; i < 3000; i++) {
      const wanted = Math.floor(i / 500) % 2 === 0 ? 3 : 1 // grows, shrinks, and so on
      if (blocks.size > 0 && integer(keyOf(round, 'release'), i, 4) >= wanted) {
        const block = [...blocks.keys()][integer(keyOf(round, 'which'), i, blocks.size)] as HeapBlock
        heap.release(block)
        blocks.delete(block)
      } else {
        const bytes = size(`bytes ${round}`, i)
        blocks.set(heap.allocate(bytes), bytes)
      }
      most = Math.max(most, sum())
      if (i % 100 === 0) check(blocks, memory, 1000)
      expect(heap.usage()).toEqual({ used: sum(), peak: most, size: memory.buffer.byteLength })
    }
    for (const block of blocks.keys()) heap.release(block)
    const before = memory.buffer.byteLength
    const all = heap.allocate((before - 1024) * (32 / 33))
    expect([all.address, all.before, memory.buffer.byteLength]).toEqual([1024, null, before])
  })
  it('gives a block at an address where all of it is free, grows for it, and says what is taken', () => {
    const { memory, heap } = heapAt()
    const far = heap.allocateAt(1024 + 4 * MIB, 100) as HeapBlock
    expect([far.address, far.size, heap.taken()]).toEqual([
      1024 + 4 * MIB,
      128,
      [
        { address: 0, end: 1024 },
        { address: far.address, end: far.address + 128 },
      ],
    ])
    const before = heap.allocateAt(1024 + 2 * MIB, 2 * MIB) as HeapBlock
    expect(heap.taken()[1]).toEqual({ address: before.address, end: far.address + 128 })
    expect(heap.allocateAt(before.address - 64, 128)).toBeNull() // a part of it is taken
    expect(heap.allocateAt(far.address + 64, 64)).toBeNull()
    check(new Map([far, before].map((block) => [block, block.size])), memory, 1000)
    heap.release(before)
    heap.release(far)
    expect([heap.usage().used, heap.taken()]).toEqual([0, [{ address: 0, end: 1024 }]])
  })
  it('packs blocks in their order, with what is in them, and goes on with one free block behind them', () => {
    const { memory, heap } = heapAt()
    const blocks = new Map<HeapBlock, number>()
    for (let i = 0; i < 60; i++) {
      const bytes = size('packed', i)
      const block = heap.allocate(bytes)
      blocks.set(block, bytes)
      new Uint8Array(memory.buffer, block.address, bytes).fill(i)
    }
    const all = [...blocks.keys()].map((block, i) => ({ block, i }))
    for (const { block } of all.filter(({ i }) => i % 3 !== 0)) {
      heap.release(block)
      blocks.delete(block)
    }
    const before = heap.usage()
    const bytes = new Uint8Array(memory.buffer)
    heap.pack((from, to, count) => bytes.copyWithin(to, from, from + count))
    check(blocks, memory, 1000)
    expect(heap.usage()).toEqual(before)
    expect(heap.taken()).toEqual([
      { address: 0, end: 1024 },
      { address: 1024, end: 1024 + before.used },
    ])
    for (const { block, i } of all.filter(({ i }) => i % 3 === 0)) {
      const values = new Uint8Array(memory.buffer, block.address, blocks.get(block))
      expect(values.every((value) => value === i)).toBe(true)
    }
    const next = heap.allocate(2 * SMALL)
    expect(next.address).toBe(1024 + before.used)
    for (const block of [next, ...blocks.keys()]) heap.release(block)
    expect(heap.taken()).toEqual([{ address: 0, end: 1024 }])
    heap.pack(() => expect.fail('nothing is in use'))
    expect(heap.allocate(2 * SMALL).address).toBe(1024)
  })
  it.each([
    [1024, 896, 768, 640, 512, 448],
    [512, 640, 768, 896, 1024, 2048, 3000],
  ])('gives blocks of a GiB, one after the other, from the memory of the largest: %i, %i, %i, ...', (...sizes) => {
    const { memory, heap } = heapAt()
    for (const each of sizes) heap.release(heap.allocate(each * MIB))
    expect(memory.buffer.byteLength).toBeLessThan(Math.max(...sizes) * (33 / 32) * MIB + 18 * MIB)
  })
  it('grows by what the free block at its end is short of', () => {
    const { memory, heap } = heapAt()
    heap.allocate(10 * MIB)
    heap.release(heap.allocate(50 * MIB))
    heap.allocate(60 * MIB)
    expect(memory.buffer.byteLength).toBeLessThan(80 * MIB)
  })
  it('uses a released block again', () => {
    const { heap } = heapAt()
    const first = heap.allocate(1000)
    heap.allocate(10)
    heap.release(first)
    expect(heap.allocate(990).address).toBe(first.address)
  })
  it('counts what is in use, and the most since it was told to forget', () => {
    const { heap } = heapAt()
    const block = heap.allocate(4096)
    heap.allocate(64)
    heap.release(block)
    expect(heap.usage()).toMatchObject({ used: 64, peak: 4096 + 64 })
    heap.forget()
    expect(heap.usage()).toMatchObject({ used: 64, peak: 64 })
  })
  it('wastes at most a 32nd', () => {
    const { heap } = heapAt()
    for (let bytes = 1; bytes < 1_000_000; bytes += 517) {
      expect(heap.allocate(bytes).size).toBeLessThanOrEqual(Math.max(Math.ceil(bytes / 64) * 64, bytes * (33 / 32)))
    }
  })
  it('keeps old views alive when it grows', () => {
    const { memory, heap } = heapAt()
    const view = new Float32Array(memory.buffer, heap.allocate(64).address, 4)
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
  it('goes up to the last byte, and says then what is in use, what is free, and what to do', () => {
    const { memory, heap } = heapAt(0, 160) // 10 MiB
    const [a, b, c] = [heap.allocate(4 * MIB), heap.allocate(MIB), heap.allocate(5 * MIB)] as [
      HeapBlock,
      HeapBlock,
      HeapBlock,
    ]
    expect(memory.buffer.byteLength).toBe(10 * MIB)
    expect(() => heap.allocate(1)).toThrow(/^simd: out of memory: 1 MiB wanted, 10 MiB in use, 0 MiB free/)
    heap.release(a)
    heap.release(c)
    expect(() => heap.allocate(6 * MIB)).toThrow(
      /^simd: out of memory: 6 MiB wanted, 1 MiB in use, 9 MiB free in pieces of at most 5 MiB, and no more to be had; take smaller batches, or the same in parts \(train.accumulate\)$/,
    )
    heap.release(b)
    expect(heap.allocate(10 * MIB).address).toBe(0)
  })
  it.each([5 * 2 ** 30, 2 ** 38, 1e15])('refuses %i bytes and goes on', (bytes) => {
    const { heap } = heapAt()
    expect(() => heap.allocate(bytes)).toThrow(/out of memory: \d{4,} MiB wanted, 0 MiB in use/)
    expect(heap.allocate(64).address).toBeGreaterThan(0)
  })
})
