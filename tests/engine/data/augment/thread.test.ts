import { describe, expect, it } from 'vitest'
import { spawnAugmenter } from '../../../../app/augmenter.ts'
import { type AugmentJob, augment } from '../../../../engine/data/augment/augment.ts'
import { type AugmentThread, serveAugment, startAugmenter } from '../../../../engine/data/augment/thread.ts'
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
