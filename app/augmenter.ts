import { Worker } from 'node:worker_threads'
import type { SpawnAugmenter } from '../engine/data/augment/thread.ts'

/** Starts a thread that augments training batches. */
export const spawnAugmenter: SpawnAugmenter = () => spawnFrom(new URL('./augmentThread.ts', import.meta.url))

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
 * Starts one thread that augments, for one run after the other: where no thread can be started any more (confine.ts). It
 * has loaded all that it needs when this resolves. While a run has it, others get none.
 */
export async function keepAugmenter(start = spawnAugmenter): Promise<SpawnAugmenter> {
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
  return async () => {
    if (broken ?? taken) throw broken ?? new Error('the thread is taken')
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
  }
}
