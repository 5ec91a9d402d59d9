import { messageOf } from '../../errors.ts'
import { type Augmented, type AugmentJob, augment } from './augment.ts'

/** One end of a line to another thread, which takes plain data; `buffers` go over without being copied. */
export interface ThreadLine {
  post(message: unknown, buffers: ArrayBuffer[]): void
  /** Called once. `fail` is called if the other thread breaks down or ends. */
  listen(receive: (message: unknown) => void, fail: (error: Error) => void): void
}

/** The line to a thread that runs `serveAugment`. */
export interface AugmentThread extends ThreadLine {
  end(): void
}

/** Starts such a thread; how, depends on the environment. */
export type SpawnAugmenter = () => Promise<AugmentThread>

/** Where training batches are augmented. */
export interface Augmenter {
  /** Takes over the pixels of the job, with all of their buffer. Rejects where augmenting fails or the thread is gone. */
  run(job: AugmentJob): Promise<Augmented>
  end(): void
}

type Answer = { done: Augmented } | { error: string }

/** An augmenter in a thread of its own, or in this one where none is given or starts. The numbers are the same. */
export async function startAugmenter(spawn?: SpawnAugmenter): Promise<Augmenter> {
  const thread = await spawn?.().catch(() => null)
  if (!thread) return { run: async (job) => augment(job), end: () => {} }
  const waiting: PromiseWithResolvers<Augmented>[] = [] // answers come in the order of the jobs
  let broken: Error | null = null
  thread.listen(
    (message) => {
      const answer = message as Answer
      if ('done' in answer) waiting.shift()?.resolve(answer.done)
      else waiting.shift()?.reject(new Error(answer.error))
    },
    ({ message }) => {
      broken ??= new Error(`the augmenting thread broke down: ${message}`)
      for (const { reject } of waiting.splice(0)) reject(broken)
    },
  )
  return {
    run: async (job) => {
      if (broken) throw broken
      const result = Promise.withResolvers<Augmented>()
      waiting.push(result)
      thread.post(job, [job.batch.pixels.buffer as ArrayBuffer])
      return result.promise
    },
    end: thread.end,
  }
}

/** The work of the thread: answers every job. */
export function serveAugment(line: ThreadLine): void {
  line.listen(
    (job) => {
      try {
        const done = augment(job as AugmentJob)
        line.post({ done } satisfies Answer, [done.pixels.buffer as ArrayBuffer])
      } catch (error) {
        line.post({ error: messageOf(error) } satisfies Answer, [])
      }
    },
    () => {},
  )
}
