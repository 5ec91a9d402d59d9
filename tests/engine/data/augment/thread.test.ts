import { describe, expect, it } from 'vitest'
import { spawnAugmenter } from '../../../../app/augmenter.ts'
import { type AugmentJob, augment } from '../../../../engine/data/augment/augment.ts'
import { type AugmentThread, serveAugment, startAugmenter } from '../../../../engine/data/augment/thread.ts'
import { examplesFrom } from '../../../../engine/data/drawn.ts'
import { shapes } from '../../../../engine/data/images/shapes.ts'
import { deit } from '../../../../engine/train/presets/index.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'
import { picture } from './pictures.ts'

const recipe = resolveRecipe(deit())
const job = (step: number): AugmentJob => ({
  batch: { pixels: picture([64, 8, 3]).pixels, labels: Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7) },
  shape: [8, 8, 3],
  classes: 8,
  recipe,
  seed: 1,
  step,
})

/** A thread that answers within this one. */
function fakeThread(): AugmentThread {
  const ends: ((message: unknown) => void)[] = []
  const listen = (receive: (message: unknown) => void) => void ends.push(receive)
  serveAugment({ post: (message) => ends[1]?.(message), listen })
  return { post: (message) => ends[0]?.(structuredClone(message)), listen, end: () => {} }
}

describe('the augmenter', () => {
  it('gives the same bits in a thread as without one, in order', async () => {
    const [thread, inline] = [await startAugmenter(spawnAugmenter), await startAugmenter()]
    const jobs = [0, 1, 2].map((step) => thread.run(job(step)))
    for (const [step, done] of (await Promise.all(jobs)).entries()) {
      expect(done).toEqual(await inline.run(job(step)))
      expect(done).toEqual(augment(job(step)))
    }
    thread.end()
  })
  it('starts a thread more after three batches in a row that were waited for, up to the most, with the same bits', async () => {
    let started = 0
    const spawn = () => {
      started += 1
      return spawnAugmenter()
    }
    const augmenter = await startAugmenter(Object.assign(spawn, { most: 3 }))
    for (const late of [true, true, false, true, true]) augmenter.waited(late)
    expect([started, augmenter.ahead()]).toEqual([1, 2])
    for (let threads = 2; threads <= 4; threads++) {
      for (let i = 0; i < 3; i++) augmenter.waited(true)
      await expect.poll(augmenter.ahead).toBe(Math.min(threads, 3) + 1)
    }
    expect(started).toBe(3)
    const steps = [0, 1, 2, 3, 4, 5, 6]
    expect(await Promise.all(steps.map((step) => augmenter.run(job(step))))).toEqual(
      steps.map((step) => augment(job(step))),
    )
    const { options } = shapes({ size: 16, train: 12 })
    const from = { dataset: 'shapes', options: shapes.kind.resolve(options), part: 'train' }
    const indices = [5, 3, 8, 1]
    expect(await augmenter.draw(from, indices, false)?.made).toEqual(examplesFrom(from, indices))
    const drawing = augmenter.draw(from, [0, 1, 2, 3, 4, 5, 6], true)
    expect(drawing?.count).toBe(6) // the thread that reads makes the last one
    await drawing?.made
    augmenter.end()
  })
  it('does with the threads that it has where no more start', async () => {
    let started = 0
    const spawn = async () => {
      started += 1
      if (started > 1) throw new Error('no more')
      return fakeThread()
    }
    const augmenter = await startAugmenter(Object.assign(spawn, { most: 4 }))
    for (let i = 0; i < 3; i++) augmenter.waited(true)
    await expect.poll(() => started).toBe(2)
    for (let i = 0; i < 9; i++) augmenter.waited(true)
    expect(await augmenter.run(job(1))).toEqual(augment(job(1)))
    expect([started, augmenter.ahead()]).toEqual([2, 2])
  })
  it('takes the pixels over instead of copying them', async () => {
    const thread = await startAugmenter(spawnAugmenter)
    const given = job(0)
    const done = thread.run(given)
    expect(given.batch.pixels.byteLength).toBe(0)
    await done
    thread.end()
  })
  it('works in this thread where no other starts', async () => {
    const augmenter = await startAugmenter(() => Promise.reject(new Error('no threads')))
    expect(await augmenter.run(job(3))).toEqual(augment(job(3)))
    augmenter.end()
  })
  it('passes on what goes wrong in the thread, and goes on', async () => {
    const augmenter = await startAugmenter(async () => fakeThread())
    const bad = { ...job(0), shape: null } as unknown as AugmentJob
    await expect(augmenter.run(bad)).rejects.toThrow('null')
    expect(await augmenter.run(job(1))).toEqual(augment(job(1)))
  })
  it('fails all that waits, and all that follows, when the thread breaks down', async () => {
    const broken: ((error: Error) => void)[] = []
    const silent: AugmentThread = { post: () => {}, listen: (_, fail) => void broken.push(fail), end: () => {} }
    const augmenter = await startAugmenter(async () => silent)
    const waiting = [augmenter.run(job(0)), augmenter.run(job(1))]
    broken[0]?.(new Error('out of memory'))
    const message = 'the augmenting thread broke down: out of memory'
    for (const result of waiting) await expect(result).rejects.toThrow(message)
    await expect(augmenter.run(job(2))).rejects.toThrow(message)
  })
})
