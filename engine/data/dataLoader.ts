import { MixlabError } from '../errors.ts'
import { keyOf, permutation } from '../random.ts'
import type { Draw, Split } from './types.ts'

export interface BatchOptions {
  /** Examples per batch. */
  batch: number
  /** Decides the order of the examples, together with the number of the epoch. */
  seed: number
  /** How often an example comes in a row; an epoch then has fewer different ones. 1 by default. */
  repeats?: number | undefined
  /** Makes generated examples in another thread. */
  draw?: Draw | undefined
  /** Told of every batch whether it was waited for. */
  waited?: ((late: boolean) => void) | undefined
}

/** A batch that is waited for longer is late: what is already there arrives sooner. */
const LATE_MS = 1
/** So many batches are made ready before they are read, where the split does so. */
const AHEAD = 8

/**
 * The data loader of training: endless shuffled batches. The batch of a step depends only on (seed, step), so that resuming at `startStep`
 * replays nothing. What is left of an epoch after its last full batch is dropped; a split smaller than a batch wraps
 * into the next epoch instead. The next batch is being read while one is in use; after a late one a part of it
 * is made by the thread that trains, which would wait.
 * Throws MixlabError `option` for a batch below 1 and `data` for an empty split.
 */
export async function* shuffledBatches<Batch>(
  split: Split<Batch>,
  options: BatchOptions,
  startStep = 0,
): AsyncGenerator<Batch, never, void> {
  check(split, options.batch)
  const order = schedule(split.size, options)
  const known: Uint32Array[] = [] // the indices of the next batches, each asked for once
  const upcoming = split.ahead ? AHEAD : 1
  const indices = (step: number): Uint32Array => {
    for (let next = step + known.length; known.length < upcoming; next++) {
      const found = order(next)
      split.ahead?.(found)
      known.push(found)
    }
    return known.shift() as Uint32Array
  }
  let late = false // the last batch was waited for
  const draw: Draw = (from, missing) => options.draw?.(from, missing, late) ?? null
  const read = async (step: number) => split.read(indices(step), draw)

  let step = startStep
  let next = read(step)
  while (true) {
    const since = performance.now()
    const current = await next
    late = performance.now() - since > LATE_MS
    options.waited?.(late)
    step += 1
    next = read(step)
    // The error is thrown where its batch is due; until then, or if that batch is never requested, it is not unhandled.
    next.catch(() => {})
    yield current
  }
}

/** All examples in their order, for evaluation; the last batch may be smaller. Throws as `batches` does. */
export async function* sequentialBatches<Batch>(split: Split<Batch>, batch: number): AsyncGenerator<Batch, void, void> {
  check(split, batch)
  const indices = (start: number) =>
    Array.from({ length: Math.max(0, Math.min(batch, split.size - start)) }, (_, i) => start + i)
  for (let start = 0; start < split.size; start += batch) {
    split.ahead?.(indices(start + batch))
    yield await split.read(indices(start))
  }
}

/** The examples of a step, as a function of the step alone. */
function schedule(size: number, { batch, seed, repeats = 1 }: BatchOptions): (step: number) => Uint32Array {
  const used = size < batch ? size : size - (size % batch) // positions of an epoch
  let epoch = -1
  let order = new Uint32Array()
  return (step) =>
    Uint32Array.from({ length: batch }, (_, i) => {
      const position = step * batch + i
      const due = Math.floor(position / used)
      if (due !== epoch) order = permutation(keyOf(seed, `order/${due}`), size)
      epoch = due
      return order[Math.floor((position % used) / repeats)] ?? 0
    })
}

function check(split: { size: number }, batch: number): void {
  if (!Number.isInteger(batch) || batch < 1) {
    throw new MixlabError('option', 'train.batch', `${batch}, expected a whole number of at least 1`)
  }
  if (split.size === 0) throw new MixlabError('data', 'task.data', 'no examples in this split')
}
