import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { keepAugmenters, spawnFrom } from '../../app/augmenter.ts'
import type { AugmentJob } from '../../engine/data/augment/augment.ts'
import { startAugmenter } from '../../engine/data/augment/thread.ts'
import { resolveRecipe } from '../../engine/train/recipe.ts'

const job = (): AugmentJob => ({
  batch: { pixels: new Float32Array(48).fill(0.5), labels: Int32Array.of(0) },
  shape: [4, 4, 3],
  classes: 2,
  recipe: resolveRecipe({ augment: { flip: 0.5 } }),
  seed: 1,
  step: 0,
})

/** An augmenter whose thread does this when it gets a job. */
const onJob = (code: string) => {
  const script = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { ${code} })`
  return startAugmenter(() => spawnFrom(new URL(`data:text/javascript,${encodeURIComponent(script)}`)))
}

describe('a thread of the command line that augments', () => {
  it.each([
    ['ends', 'process.exit(7)', 'it ended with code 7'],
    ['throws', "throw new Error('no memory')", 'no memory'],
  ])('fails its jobs and all that follow when it %s', async (_, code, why) => {
    const augmenter = await onJob(code)
    const jobs = [augmenter.run(job()), augmenter.run(job())]
    for (const each of jobs) await expect(each).rejects.toThrow(`the augmenting thread broke down: ${why}`)
    await expect(augmenter.run(job())).rejects.toThrow(why)
    augmenter.end()
  })
  it('fails its jobs when its script cannot be read', async () => {
    const augmenter = await startAugmenter(() => spawnFrom(new URL('./missing.ts', import.meta.url)))
    await expect(augmenter.run(job())).rejects.toThrow('missing.ts')
    augmenter.end()
  })
  it('fails its jobs when it ended before this thread looked', async () => {
    for (let round = 0; round < 10; round++) {
      const end = new BroadcastChannel(`end ${process.pid} ${round}`)
      const script = `new BroadcastChannel('${end.name}').postMessage(0); process.exit(3)`
      const started = spawnFrom(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
      while (!receiveMessageOnPort(end as unknown as MessagePort)); // busy, as on a loaded machine
      const augmenter = await startAugmenter(() => started)
      await expect(augmenter.run(job())).rejects.toThrow('the augmenting thread broke down: it ended with code 3')
      augmenter.end()
      end.close()
    }
  })
  it('passes on what the thread says went wrong', async () => {
    const augmenter = await onJob("parentPort.postMessage({ error: 'not iterable' })")
    await expect(augmenter.run(job())).rejects.toThrow('not iterable')
    augmenter.end()
  })
})

describe('threads that are kept', () => {
  const spawning = async (count: number) => {
    let started = 0
    const spawn = await keepAugmenters(count, () => {
      started += 1
      return spawnFrom(new URL('../../app/augmentThread.ts', import.meta.url))
    })
    return { spawn, started: () => started }
  }
  it('serves one run after the other with the numbers of this thread, whatever the last run left behind', async () => {
    const { spawn, started } = await spawning(1)
    const here = await (await startAugmenter()).run(job())
    for (let run = 0; run < 3; run++) {
      const augmenter = await startAugmenter(spawn)
      expect(await augmenter.run(job())).toEqual(here)
      void augmenter.run({ ...job(), step: run + 1 }) // nobody waits for this
      augmenter.end()
    }
    expect(started()).toBe(1)
  })
  it('are given away one by one, and given again when they are free', async () => {
    const { spawn } = await spawning(2)
    expect(spawn.most).toBe(2)
    const [first] = [await spawn(), await spawn()]
    await expect(spawn()).rejects.toThrow('all threads are taken')
    first?.end()
    await spawn()
  })
})
