import { messageOf } from '../../errors.ts'
import { examplesFrom } from '../drawn.ts'
import type { Draw, Drawing, DrawnFrom } from '../types.ts'
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

/** Examples for the thread to make. */
interface DrawJob {
  from: DrawnFrom
  indices: readonly number[]
}

/** Where training batches are augmented, and generated examples made. */
export interface Augmenter {
  /** Takes over the pixels of the job, with all of their buffer. Rejects where augmenting fails or the thread is gone. */
  run(job: AugmentJob): Promise<Augmented>
  /** Has examples made by the thread; null where there is none (yet). Rejects where making fails or the thread is gone. */
  draw: Draw
  end(): void
}

type Answer = { done: unknown } | { error: string }

/** An augmenter in a thread of its own, or in this one where none is given or starts. The numbers are the same. */
export async function startAugmenter(spawn?: SpawnAugmenter): Promise<Augmenter> {
  const thread = await spawn?.().catch(() => null)
  if (!thread) return { run: async (job) => augment(job), draw: () => null, end: () => {} }
  const waiting: PromiseWithResolvers<unknown>[] = [] // answers come in the order of the jobs
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
  const ask = async (job: AugmentJob | DrawJob, buffers: ArrayBuffer[]): Promise<unknown> => {
    if (broken) throw broken
    const result = Promise.withResolvers<unknown>()
    waiting.push(result)
    thread.post(job, buffers)
    return result.promise
  }
  return {
    run: (job) => ask(job, [job.batch.pixels.buffer as ArrayBuffer]) as Promise<Augmented>,
    draw: (from, indices) =>
      broken ? null : { count: indices.length, made: ask({ from, indices }, []) as Drawing['made'] },
    end: thread.end,
  }
}

/** An augmenter that starts when it is first asked; until it is there, whoever reads generated examples makes them. */
export function lazyAugmenter(spawn?: SpawnAugmenter): Augmenter {
  let starting: Promise<Augmenter> | null = null
  let started: Augmenter | null = null
  const start = () => {
    starting ??= startAugmenter(spawn).then((augmenter) => {
      started = augmenter
      return augmenter
    })
    return starting
  }
  return {
    run: async (job) => (await start()).run(job),
    draw: (from, indices) => {
      if (spawn) void start()
      return started?.draw(from, indices) ?? null
    },
    end: () => void starting?.then(({ end }) => end()),
  }
}

/** Batches that `make` reads with an augmenter, which ends with them. */
export async function* withAugmenter<Batch>(
  spawn: SpawnAugmenter | undefined,
  make: (augmenter: Augmenter) => AsyncGenerator<Batch>,
): AsyncGenerator<Batch> {
  const augmenter = lazyAugmenter(spawn)
  try {
    yield* make(augmenter)
  } finally {
    augmenter.end()
  }
}

/** The work of the thread: answers every job in turn. */
export function serveAugment(line: ThreadLine): void {
  line.listen(
    (job) => {
      try {
        const asked = job as AugmentJob | DrawJob
        if ('from' in asked) return line.post({ done: examplesFrom(asked.from, asked.indices) } satisfies Answer, [])
        const done = augment(asked)
        line.post({ done } satisfies Answer, [done.pixels.buffer as ArrayBuffer])
      } catch (error) {
        line.post({ error: messageOf(error) } satisfies Answer, [])
      }
    },
    () => {},
  )
}
