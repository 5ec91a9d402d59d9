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
export type SpawnAugmenter = (() => Promise<AugmentThread>) & {
  /** How many of them may work at once; one where it is left out. */
  most?: number | undefined
}

/** Examples for the thread to make. */
interface DrawJob {
  from: DrawnFrom
  indices: readonly number[]
}

/** Where training batches are augmented, and generated examples made. */
export interface Augmenter {
  /** Takes over the pixels of the job, with all of their buffer. Rejects where augmenting fails or a thread is gone. */
  run(job: AugmentJob): Promise<Augmented>
  /** Has examples made by the threads; null where there is none (yet). Rejects where making fails or a thread is gone. */
  draw: Draw
  /** How many batches to have in work while one is in use. */
  ahead(): number
  /** To be told of every batch whether it was waited for: after a few in a row one more thread works. */
  waited(late: boolean): void
  end(): void
}

type Answer = { done: unknown } | { error: string }

/** Batches in a row that are waited for before another thread is started. */
const LATE_IN_A_ROW = 3
/** Of the generated examples of a batch after a late one, what the thread that reads makes for each one of another thread. */
const READERS_SHARE = 0.5

/** An augmenter in threads of their own, or in this one where none is given or starts. The numbers are the same. */
export async function startAugmenter(spawn?: SpawnAugmenter): Promise<Augmenter> {
  const first = await spawn?.().catch(() => null)
  if (!spawn || !first) {
    return { run: async (job) => augment(job), draw: () => null, ahead: () => 1, waited: () => {}, end: () => {} }
  }
  let broken: Error | null = null
  let ended = false
  let late = 0
  let most = spawn.most ?? 1
  let starting = false
  const lines: { thread: AugmentThread; waiting: PromiseWithResolvers<unknown>[] }[] = []

  function add(thread: AugmentThread): void {
    const waiting: PromiseWithResolvers<unknown>[] = [] // answers come in the order of the jobs
    lines.push({ thread, waiting })
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
  }
  const grow = async () => {
    starting = true
    try {
      const thread = await spawn()
      if (ended) thread.end()
      else add(thread)
    } catch {
      most = lines.length // no more of them start
    }
    starting = false
  }
  /** Gives a job to the thread that has least to do. */
  const ask = async (job: AugmentJob | DrawJob, buffers: ArrayBuffer[]): Promise<unknown> => {
    if (broken) throw broken
    const { thread, waiting } = lines.reduce((a, b) => (b.waiting.length < a.waiting.length ? b : a))
    const result = Promise.withResolvers<unknown>()
    waiting.push(result)
    thread.post(job, buffers)
    return result.promise
  }
  const waited = (isLate: boolean) => {
    late = isLate ? late + 1 : 0
    if (late < LATE_IN_A_ROW || starting || lines.length >= most) return
    late = 0
    void grow()
  }
  add(first)
  return {
    run: (job) => ask(job, [job.batch.pixels.buffer as ArrayBuffer]) as Promise<Augmented>,
    draw: (from, all, late) => {
      if (broken) return null
      const indices = late ? all.slice(0, Math.ceil((all.length * lines.length) / (lines.length + READERS_SHARE))) : all
      const share = Math.ceil(indices.length / lines.length)
      const shares = lines.map((_, i) => indices.slice(i * share, (i + 1) * share)).filter(({ length }) => length > 0)
      const made = Promise.all(shares.map((indices) => ask({ from, indices }, [])))
      return { count: indices.length, made: made.then((all) => all.flat()) as Drawing['made'] }
    },
    ahead: () => lines.length + 1,
    waited,
    end: () => {
      ended = true
      for (const { thread } of lines) thread.end()
    },
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
    draw: (from, indices, late) => {
      if (spawn) void start()
      return started?.draw(from, indices, late) ?? null
    },
    ahead: () => started?.ahead() ?? 1,
    waited: (late) => started?.waited(late),
    end: () => void starting?.then(({ end }) => end()),
  }
}

/** Threads that count how many of them have started. */
export function countedThreads(spawn: SpawnAugmenter): { spawn: SpawnAugmenter; started(): number } {
  let count = 0
  const counted = async () => {
    const thread = await spawn()
    count += 1
    return thread
  }
  return { spawn: Object.assign(counted, { most: spawn.most }), started: () => count }
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
