import { expect, it, vi } from 'vitest'
import { type AugmentJob, augment } from '../../../engine/data/augment/augment.ts'
import { serveAugment, startAugmenter, type ThreadLine } from '../../../engine/data/augment/thread.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'

/** Stands for the worker of the page: says that it is ready, and does its work in this thread. */
class FakeWorker {
  static last: FakeWorker
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: ((event: { message: string }) => void) | null = null
  onmessageerror: (() => void) | null = null
  readonly terminate = vi.fn()
  #receive: (message: unknown) => void = () => {}
  constructor() {
    FakeWorker.last = this
    const post: ThreadLine['post'] = (data) => this.onmessage?.({ data: structuredClone(data) })
    const listen: ThreadLine['listen'] = (receive) => {
      this.#receive = receive
    }
    serveAugment({ post, listen })
    queueMicrotask(() => this.onmessage?.({ data: 'ready' }))
  }
  postMessage(message: unknown, transfer: ArrayBuffer[]): void {
    const data = structuredClone(message, { transfer })
    queueMicrotask(() => this.#receive(data))
  }
}

// The module takes the worker of the page with it when it is loaded.
vi.stubGlobal('Worker', FakeWorker)
const { spawnAugmenter } = await import('../../../renderer/kernel/augmenter.ts')
vi.unstubAllGlobals()

const job = (step: number): AugmentJob => ({
  batch: { pixels: new Float32Array(96).map((_, i) => i / 96), labels: Int32Array.of(0, 1) },
  shape: [4, 4, 3],
  classes: 2,
  recipe: resolveRecipe({ augment: { flip: 0.5, erase: 0.5 }, mixup: 1 }),
  seed: 1,
  step,
})

it('augments in a worker of the page to the same bits', async () => {
  const augmenter = await startAugmenter(spawnAugmenter)
  const done = await Promise.all([0, 1].map((step) => augmenter.run(job(step))))
  expect(done).toEqual([0, 1].map((step) => augment(job(step))))
  augmenter.end()
  expect(FakeWorker.last.terminate).toHaveBeenCalledOnce()
})

it.each([
  ['breaks down', (worker: FakeWorker) => worker.onerror?.({ message: 'out of memory' }), 'out of memory'],
  ['answers with what cannot be read', (worker: FakeWorker) => worker.onmessageerror?.(), 'its answer cannot be read'],
])('fails a worker that %s', async (_, happen, why) => {
  const augmenter = await startAugmenter(spawnAugmenter)
  const waiting = augmenter.run(job(0))
  happen(FakeWorker.last)
  await expect(waiting).rejects.toThrow(`the augmenting thread broke down: ${why}`)
  await expect(augmenter.run(job(1))).rejects.toThrow(why)
})
