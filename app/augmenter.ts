import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { AugmentThread, SpawnAugmenter } from '../engine/data/augment/thread.ts'

/** Starts a thread that augments training batches; as many as there are cores where it takes them. */
export const spawnAugmenter: SpawnAugmenter = Object.assign(
  () => spawnFrom(new URL('./augmentThread.ts', import.meta.url)),
  { most: availableParallelism() },
)

/** Starts a thread that runs `script`, which answers as `serveAugment` does. */
export const spawnFrom = (script: URL): ReturnType<SpawnAugmenter> =>
  new Promise((ready, fail) => {
    const thread = new Worker(script)
    // kept, for it may end before anybody listens: Node reports start and end at once where this thread was busy meanwhile
    const end = Promise.withResolvers<Error>()
    thread.once('error', end.resolve).once('exit', (code) => end.resolve(new Error(`it ended with code ${code}`)))
    void end.promise.then(fail)
    thread.once('online', () =>
      ready({
        post: (message, buffers) => thread.postMessage(message, buffers),
        listen: (receive, broken) => {
          thread.on('message', receive).on('messageerror', broken)
          void end.promise.then(broken)
        },
        end: () => void thread.terminate(),
      }),
    )
  })

/**
 * Starts `count` threads that augment, for one run after the other: where no thread can be started any more (confine.ts).
 * They have loaded all that they need when this resolves. A run takes them one by one; while it has them, others get none.
 */
export async function keepAugmenters(count: number, start: SpawnAugmenter = spawnAugmenter): Promise<SpawnAugmenter> {
  const kept = await Promise.all(Array.from({ length: count }, () => keepThread(start)))
  const next = async () => {
    const free = kept.find(({ taken }) => !taken())
    if (!free) throw new Error('all threads are taken')
    return free.take()
  }
  return Object.assign(next, { most: count })
}

/** A thread that augments, has loaded all that it needs, and serves one run after the other. */
async function keepThread(start: SpawnAugmenter) {
  const thread = await start()
  const loaded = Promise.withResolvers<void>()
  let broken: Error | null = null
  let taken = false
  let [owed, foreign] = [0, 0] // answers to come, and those among them that nobody waits for
  let receive: (message: unknown) => void = () => loaded.resolve()
  let fail: (error: Error) => void = loaded.reject
  const post: typeof thread.post = (message, buffers) => {
    owed += 1
    thread.post(message, buffers)
  }
  thread.listen(
    (message) => {
      owed -= 1
      if (foreign > 0) foreign -= 1
      else receive(message)
    },
    (error) => {
      broken = error
      fail(error)
    },
  )
  post(null, []) // no job: it says so, once it can
  await loaded.promise
  return {
    taken: () => taken,
    take(): AugmentThread {
      if (broken) throw broken
      taken = true
      foreign = owed
      return {
        post,
        listen: (own, failed) => {
          receive = own
          fail = failed
        },
        end: () => {
          taken = false
          foreign = owed
        },
      }
    },
  }
}
