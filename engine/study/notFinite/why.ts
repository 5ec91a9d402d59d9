import * as tf from '@tensorflow/tfjs-core'
import type { Model } from '../../nn/model.ts'
import { type Replayed, replay } from '../../train/replay.ts'
import { type NotFinite, notFiniteText } from './text.ts'
import { type Origin, traceStep } from './traceStep.ts'

/** A run whose loss is not finite. */
export interface FailedTraining extends Omit<Replayed, 'model'> {
  /** A model with the weights that the run began with; the caller of it disposes it. */
  make(): Promise<Model>
  signal?: AbortSignal | undefined
}

/** Seconds for which steps are done again; what takes longer is not found. */
const PATIENCE = 60

/** Backends that can be read at once, between two operations, the best one first. */
const READABLE = ['simd', 'cpu']

/** Before the step in which the first value that is not finite is made. */
interface Before {
  /** Steps done. */
  step: number
  state: Uint8Array
  last: NotFinite['before']
}

/**
 * Why a loss is not finite, in one sentence (see text.ts). The steps since the last checkpoint are done again, up to the last one
 * whose weights are finite, and the next one operation by operation, from the very same state: on `simd` with the bits that
 * the run had, after training on a graphics card on the processor.
 */
export async function whyNotFinite(
  training: FailedTraining,
  { step, message }: { step: number; message: string },
): Promise<string> {
  const { learningRate } = training.recipe.optimizer.options as { learningRate: number }
  const atStart = await onReadable(() =>
    withModel(training, (model) => traceStep({ ...training, model }, null, step - 1)),
  )
  const before = step === 1 ? null : await lastFinite(training, step)
  const origin = before
    ? await onReadable(() =>
        withModel(training, (model) => traceStep({ ...training, model }, before.state, before.step)),
      )
    : atStart
  return notFiniteText({
    message,
    origin: origin ?? atStart,
    step: origin ? (before?.step ?? 0) + 1 : step,
    before: origin ? (before?.last ?? null) : null,
    atStart: atStart !== null && isOfCode(atStart),
    learningRate,
  })
}

/** Whether it is the code or the data, and not a learning rate, that gives such values. */
function isOfCode(origin: Origin): boolean {
  return origin.kind === 'data' || (origin.kind === 'operation' && /^(for|back)ward$/.test(origin.first.phase))
}

/**
 * The state before the step in which weights, or else the loss of step `failed`, come to be not finite: that of two steps
 * before is looked at first, then all since the last checkpoint, then all from the start on. Null where there is no time.
 */
async function lastFinite(training: FailedTraining, failed: number): Promise<Before | null> {
  const end = performance.now() + 1000 * PATIENCE
  const ended = () => (training.signal?.aborted ?? false) || performance.now() > end
  const fromStart = { ...training, state: undefined }
  for (const [from, first] of [
    [training, failed - 2],
    [training, 0],
    [fromStart, failed - 2],
    [fromStart, 0],
  ] as const) {
    const found = await withModel(from, (model) => lastFiniteFrom({ ...from, model }, first, failed, ended))
    if (found || ended()) return found
  }
  return null
}

/** The last finite state of those from step `first` on, but before step `failed`; null where the first is not finite. */
async function lastFiniteFrom(training: Replayed, first: number, failed: number, ended: () => boolean) {
  let before: Before | null = null
  for await (const now of replay(training)) {
    if (ended() || now.step >= failed) return null
    if (now.step < first) continue
    if (!(await now.isFinite())) return before
    before = { step: now.step, state: await now.state(), last: await now.last() }
    if (now.step === failed - 1) return before
  }
  return null
}

async function withModel<T>(training: FailedTraining, run: (model: Model) => Promise<T>): Promise<T> {
  const model = await training.make()
  try {
    return await run(model)
  } finally {
    model.dispose()
  }
}

/** Runs `body` on a backend that can be read at once: the current one, or else one of the processor. */
async function onReadable<T>(body: () => Promise<T>): Promise<T> {
  const current = tf.getBackend()
  const other = READABLE.includes(current) ? null : READABLE.find((name) => tf.findBackendFactory(name))
  if (!other) return body()
  await tf.setBackend(other)
  try {
    return await body()
  } finally {
    await tf.setBackend(current)
  }
}
