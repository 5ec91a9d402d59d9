import { afterEach, describe, expect, it, vi } from 'vitest'
import { pack, unpack } from '../../../../engine/channel.ts'
import { drawFrom, sharedDraws } from '../../../../engine/data/augment/sharedDraws.ts'
import { type AugmentThread, serveAugment } from '../../../../engine/data/augment/thread.ts'
import { examplesFrom } from '../../../../engine/data/drawn.ts'
import { drawBy } from '../../../../engine/data/generated.ts'
import { imageData } from '../../../../engine/data/images/index.ts'
import { solids } from '../../../../engine/data/index.ts'
import { noFiles } from '../memory-files.ts'

const options = { difficulty: 0.5, size: 16, train: 12, test: 4, seed: 0 }
const from = { dataset: 'shapes', options, part: 'train' }

/** A thread within this one, and what it was asked for. */
function fakeThread(asked: unknown[] = []): AugmentThread {
  const ends: ((message: unknown) => void)[] = []
  const listen = (receive: (message: unknown) => void) => void ends.push(receive)
  serveAugment({ post: (message) => ends[1]?.(message), listen })
  const post = (message: unknown) => {
    asked.push((message as { indices: unknown }).indices)
    ends[0]?.(structuredClone(message))
  }
  return { post, listen, end: () => {} }
}

/** As it arrives in another process. */
const crossed = <Value>(value: Value) => unpack(pack(value)) as Value

describe('examples that are made once for several', () => {
  afterEach(() => drawBy(null))

  it('are the same for each, and forgotten after the last one', async () => {
    const asked: unknown[] = []
    const end = vi.fn()
    const { drawn: draw, end: endAll } = sharedDraws(2, async () => ({ ...fakeThread(asked), end }))
    const [one, other] = [0, 1].map(() => drawFrom(async (...given) => crossed(await draw(...given))))
    const wanted = examplesFrom(from, [3, 1, 2])
    const [a, b] = await Promise.all([one?.(from, [3, 1], false)?.made, other?.(from, [1, 2], false)?.made])
    expect([a, b]).toEqual([wanted.slice(0, 2), wanted.slice(1)])
    expect(asked).toEqual([[3, 1], [2]])
    await other?.(from, [3], false)?.made
    expect(asked).toHaveLength(2)
    expect(await one?.(from, [1], false)?.made).toEqual(examplesFrom(from, [1])) // of a process that has started anew
    expect(asked.at(-1)).toEqual([1])
    endAll()
    await expect.poll(() => end.mock.calls.length).toBe(1)
  })
  it('keep their types on the way', async () => {
    const clouds = { dataset: 'solids', options: solids.kind.resolve({ train: 4, test: 2 }), part: 'train' }
    const { drawn } = sharedDraws(1, async () => fakeThread())
    const draw = drawFrom(async (...given) => crossed(await drawn(...given)))
    expect(await draw(clouds, [2, 0], false)?.made).toEqual(examplesFrom(clouds, [2, 0]))
  })
  it('are made by whoever reads them where nobody else makes them', async () => {
    const read = async () => (await imageData.open({ dataset: 'shapes', options }, noFiles)).train.read([4, 2])
    const here = await read()
    const spawn = vi.fn(async () => fakeThread())
    for (const draws of [
      sharedDraws(2),
      sharedDraws(2, () => Promise.reject(new Error('none'))),
      sharedDraws(2, spawn),
    ]) {
      drawBy(drawFrom(draws.drawn))
      expect(await read()).toEqual(here)
    }
    expect(spawn).toHaveBeenCalledOnce()
  })
})
