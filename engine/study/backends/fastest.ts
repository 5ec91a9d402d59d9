import type { BackendInfo } from '../../backends/types.ts'
import { compact } from '../../compile/program.ts'
import { countMacs } from '../../cost/trace.ts'
import { MixlabError, messageOf } from '../../errors.ts'
import { createModel } from '../../nn/model.ts'
import type { StepTime } from '../../records/environment.ts'
import { createLanes, type Lane } from '../../train/steps/lockstep.ts'
import { train } from '../../train/train.ts'
import type { OpenStudy, OpenVariant } from '../opened.ts'

/** Steps that compile kernels and fill pools, and then as many that are timed. */
const STEPS = 4
/** A card that takes more of the time of the processor than this share is no gain: its bits are its own, and it may be lost. */
export const TIE = 0.9
const NEVER_ABORTED = Number.MAX_SAFE_INTEGER

/** A backend that a study may be trained on. */
export interface Candidate extends BackendInfo {
  /** Makes it the current one. */
  start(): Promise<void>
}

/** The backend that trains a study fastest, which is the current one now, and what all of them take. */
export interface Fastest {
  backend: BackendInfo
  times: StepTime[]
}

/** Those of the candidates that a study is trained on: one whose runs it has stays, or else the fastest is found out. */
export function candidatesFor(used: readonly string[], candidates: readonly Candidate[]): readonly Candidate[] {
  const kept = candidates.find(({ name }) => used.includes(name))
  return kept ? [kept] : candidates
}

/**
 * Times a few steps of the largest variant of a study on each candidate, and makes the fastest the current backend; a tie
 * stays on the processor. A single one is not timed. Throws MixlabError `backend` where none trains.
 */
export async function measureFastest(
  open: OpenStudy,
  candidates: readonly Candidate[],
  time: (variant: OpenVariant) => Promise<number> = stepTime,
): Promise<Fastest> {
  const times: StepTime[] = []
  if (candidates.length > 1) {
    const variant = await largest(open.variants)
    for (const { name, start } of candidates) {
      try {
        await start()
        times.push({ name, ms: await time(variant) })
      } catch (error) {
        times.push({ name, ms: null, why: messageOf(error) })
      }
    }
  }
  const cost = ({ name, ms }: StepTime) => (ms as number) * (name === 'simd' ? TIE : 1)
  const timed = times.filter(({ ms }) => ms !== null).sort((a, b) => cost(a) - cost(b))
  const best = candidates.find(({ name }) => (candidates.length > 1 ? name === timed[0]?.name : true))
  if (!best)
    throw new MixlabError(
      'backend',
      open.name,
      times.map(({ name, why }) => `${name}: ${why}`).join('; ') || 'no backend',
    )
  await best.start()
  const { name, device } = best
  return { backend: { name, device }, times }
}

/**
 * Milliseconds of a step of a variant on the current backend, or of a step of so many seeds at once. No example but those to train on
 * is read, and nothing is kept.
 */
export async function stepTime(variant: OpenVariant, seeds = 1): Promise<number> {
  const all = createLanes(seeds).map(async (lane, seed) => {
    for await (const ms of lane.inTurns(timed(variant, seed, lane))) return ms
    throw new Error('has no step')
  })
  try {
    for (const each of await Promise.allSettled(all)) if (each.status === 'rejected') throw each.reason
    return await (all[0] as Promise<number>)
  } finally {
    await compact()
  }
}

async function* timed(
  { opened: task, block, size, recipe }: OpenVariant,
  seed: number,
  lane: Lane,
): AsyncGenerator<number> {
  const model = createModel(task.model(block, size), task.input, seed)
  // the losses are read at the end of each half, so that a card's queue is part of its time
  const steps = {
    steps: NEVER_ABORTED,
    evalEvery: NEVER_ABORTED,
    checkpointEvery: { steps: NEVER_ABORTED },
    snapshots: 0,
    logEvery: STEPS,
  }
  const times: number[] = []
  try {
    for await (const event of train({ model, task, recipe: { ...recipe, ...steps }, seed, lane })) {
      if (event.type === 'failed') throw new Error(event.message)
      if (event.type === 'step') times.push(event.ms)
      if (times.length === 2 * STEPS) break
    }
  } finally {
    model.dispose()
  }
  yield times.slice(STEPS).reduce((sum, ms) => sum + ms, 0) / STEPS
}

/** The variant whose steps compute most, by multiply-adds, as far as they can be counted. */
export async function largest(variants: readonly OpenVariant[]): Promise<OpenVariant> {
  const costs = await Promise.all(
    variants.map(({ opened, block, size, recipe }) =>
      countMacs(opened.model(block, size), opened.input)
        .catch(() => 0)
        .then((macs) => macs * recipe.batch),
    ),
  )
  return variants[costs.indexOf(Math.max(...costs))] as OpenVariant
}
