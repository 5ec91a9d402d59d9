import { Worker } from 'node:worker_threads'
import type { SpawnAugmenter } from '../engine/data/augment/thread.ts'

/** Starts a thread that augments training batches. */
export const spawnAugmenter: SpawnAugmenter = () => spawnFrom(new URL('./augmentThread.ts', import.meta.url))

/** Starts a thread that runs `script`, which answers as `serveAugment` does. */
export const spawnFrom = (script: URL): ReturnType<SpawnAugmenter> =>
  new Promise((ready, fail) => {
    const thread = new Worker(script)
    thread.once('error', fail).once('online', () =>
      ready({
        post: (message, buffers) => thread.postMessage(message, buffers),
        listen: (receive, broken) =>
          thread
            .on('message', receive)
            .on('messageerror', broken)
            .on('error', broken)
            .on('exit', (code) => broken(new Error(`it ended with code ${code}`))),
        end: () => void thread.terminate(),
      }),
    )
  })
