import { describe, expect, it, vi } from 'vitest'
import { sequentialBatches, shuffledBatches } from '../../../engine/data/dataLoader.ts'
import type { Draw, ImageBatch, ImageSplit } from '../../../engine/data/types.ts'

/** A split whose labels are the indices; notes what is read. `fails` names the read (from 0) that throws. */
function countingSplit(size: number, fails = -1): ImageSplit & { reads: number[][] } {
  const reads: number[][] = []
  return {
    size,
    reads,
    async read(indices) {
      reads.push(Array.from(indices))
      if (reads.length - 1 === fails) throw new Error('disk gone')
      return { pixels: new Float32Array(indices.length), labels: Int32Array.from(indices) }
    },
  }
}

async function take(source: AsyncGenerator<ImageBatch>, count: number): Promise<number[][]> {
  const taken: number[][] = []
  for await (const { labels } of source) {
    taken.push([...labels])
    if (taken.length === count) break
  }
  return taken
}

const sorted = (values: number[]) => [...values].sort((a, b) => a - b)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('batches', () => {
  it('sees every example once an epoch, in a new order each', async () => {
    const taken = await take(shuffledBatches(countingSplit(12), { batch: 4, seed: 0 }), 6)
    const epochs = [taken.slice(0, 3).flat(), taken.slice(3).flat()]
    for (const epoch of epochs) expect(sorted(epoch)).toEqual(upTo(12))
    expect(epochs[0]).not.toEqual(epochs[1])
  })
  it('makes batches ready before they are read, each once and in their order', async () => {
    const ready: number[][] = []
    const split = { ...countingSplit(12), ahead: (indices: ArrayLike<number>) => void ready.push(Array.from(indices)) }
    const before = await take(shuffledBatches(countingSplit(12), { batch: 4, seed: 0 }), 6)
    expect(await take(shuffledBatches(split, { batch: 4, seed: 0 }), 6)).toEqual(before)
    expect(ready.length).toBeGreaterThan(7)
    expect(ready.slice(0, 6)).toEqual(before)
    const inOrder: number[][] = []
    const evaluated = { ...countingSplit(5), ahead: (some: ArrayLike<number>) => void inOrder.push(Array.from(some)) }
    for await (const _ of sequentialBatches(evaluated, 2)) expect(inOrder.length).toBe(evaluated.reads.length)
    expect(inOrder).toEqual([[2, 3], [4], []])
  })
  it('drops what is left after the last full batch of an epoch', async () => {
    const taken = await take(shuffledBatches(countingSplit(10), { batch: 4, seed: 0 }), 4)
    expect(new Set(taken.slice(0, 2).flat()).size).toBe(8)
    expect(new Set(taken.slice(2).flat()).size).toBe(8)
  })
  it('wraps a split that is smaller than a batch', async () => {
    const taken = await take(shuffledBatches(countingSplit(3), { batch: 7, seed: 0 }), 3)
    expect(taken.map((batch) => batch.length)).toEqual([7, 7, 7])
    const stream = taken.flat()
    for (let epoch = 0; epoch < 7; epoch++) expect(sorted(stream.slice(epoch * 3, epoch * 3 + 3))).toEqual(upTo(3))
  })
  it('takes a batch of the whole split', async () => {
    const taken = await take(shuffledBatches(countingSplit(5), { batch: 5, seed: 0 }), 2)
    for (const batch of taken) expect(sorted(batch)).toEqual(upTo(5))
  })
  it('repeats an example in a row, and takes fewer different ones in an epoch', async () => {
    const taken = (await take(shuffledBatches(countingSplit(12), { batch: 6, seed: 0, repeats: 3 }), 4)).map(
      (batch) => batch,
    )
    for (const batch of taken) expect(batch).toEqual(batch.map((_, i) => batch[i - (i % 3)]))
    expect(new Set(taken.slice(0, 2).flat()).size).toBe(4)
    expect(taken.slice(0, 2)).not.toEqual(taken.slice(2))
  })
  it('depends on the seed alone', async () => {
    const first = await take(shuffledBatches(countingSplit(50), { batch: 10, seed: 1 }), 8)
    expect(await take(shuffledBatches(countingSplit(50), { batch: 10, seed: 1 }), 8)).toEqual(first)
    expect(await take(shuffledBatches(countingSplit(50), { batch: 10, seed: 2 }), 8)).not.toEqual(first)
  })
  it.each([1, 4, 7, 23])('resumes at step %i without reading what came before', async (step) => {
    for (const [size, batch] of [
      [30, 4],
      [3, 8],
    ] as const) {
      const whole = await take(shuffledBatches(countingSplit(size), { batch, seed: 3 }), 26)
      const split = countingSplit(size)
      expect(await take(shuffledBatches(split, { batch, seed: 3 }, step), 3)).toEqual(whole.slice(step, step + 3))
      expect(split.reads[0]).toEqual(whole[step])
    }
  })
  it('reads the next batch while one is in use, and only that', async () => {
    const split = countingSplit(12)
    const source = shuffledBatches(split, { batch: 4, seed: 0 })
    expect(split.reads).toHaveLength(0)
    await source.next()
    expect(split.reads).toHaveLength(2)
    await source.next()
    expect(split.reads).toHaveLength(3)
    await source.return(undefined as never)
    expect(split.reads).toHaveLength(3)
  })
  it('throws the error of a read where its batch is due', async () => {
    const source = shuffledBatches(countingSplit(12, 1), { batch: 4, seed: 0 })
    expect((await source.next()).value.labels).toHaveLength(4)
    await expect(source.next()).rejects.toThrow('disk gone')
    expect((await source.next()).done).toBe(true)
  })
  it('leaves no unhandled rejection, whether the failed batch is asked for or not', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      for (const fails of [0, 1]) {
        const source = shuffledBatches(countingSplit(12, fails), { batch: 4, seed: 0 })
        await source.next().catch(() => {})
        await source.return(undefined as never)
      }
      const abandoned = shuffledBatches(countingSplit(12, 1), { batch: 4, seed: 0 })
      await abandoned.next()
      await new Promise((resolve) => setImmediate(resolve))
      expect(unhandled).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })
  it('surfaces a read that throws at once', async () => {
    const split: ImageSplit = {
      size: 4,
      read: () => {
        throw new Error('at once')
      },
    }
    await expect(shuffledBatches(split, { batch: 2, seed: 0 }).next()).rejects.toThrow('at once')
  })
  it.each([0, -1, 1.5, Number.NaN])('refuses a batch of %d', async (batch) => {
    await expect(shuffledBatches(countingSplit(4), { batch, seed: 0 }).next()).rejects.toThrow(
      `train.batch: ${batch}, expected a whole number of at least 1`,
    )
  })
  it('refuses an empty split', async () => {
    await expect(shuffledBatches(countingSplit(0), { batch: 2, seed: 0 }).next()).rejects.toThrow(
      'no examples in this split',
    )
  })
})

describe('inOrder', () => {
  it('yields every example once, the last batch smaller', async () => {
    expect(await take(sequentialBatches(countingSplit(10), 4), 9)).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ])
    expect(await take(sequentialBatches(countingSplit(2), 4), 9)).toEqual([[0, 1]])
  })
  it('refuses a batch of 0 and an empty split', async () => {
    await expect(sequentialBatches(countingSplit(4), 0).next()).rejects.toThrow('train.batch: 0')
    await expect(sequentialBatches(countingSplit(0), 4).next()).rejects.toThrow('no examples in this split')
  })
})

it('says of each batch whether it was waited for, and so asks for the generated examples of the next one', async () => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const late = [true]
  const asked: [number, boolean][] = []
  const split: ImageSplit = {
    size: 12,
    async read(indices, draw) {
      draw?.({ dataset: 'shapes', options: {}, part: 'train' }, Array.from(indices), false)
      const isLate = late.shift()
      await null
      if (isLate) now += 20
      return { pixels: new Float32Array(), labels: Int32Array.from(indices) }
    },
  }
  const draw: Draw = (_, indices, late) => {
    asked.push([indices.length, late])
    return null
  }
  const waited = vi.fn()
  await take(shuffledBatches(split, { batch: 6, seed: 0, draw, waited }), 3)
  expect(asked).toEqual([
    [6, false],
    [6, true],
    [6, false],
    [6, false],
  ])
  expect(waited.mock.calls).toEqual([[true], [false], [false]])
  vi.restoreAllMocks()
})
