import { messageOf } from '../errors.ts'
import type { TrainEvent } from '../records/events.ts'
import { isBetter } from '../records/meaning.ts'
import type { Task } from '../tasks/types.ts'
import { writeWeights } from '../weights/model.ts'
import type { Measured } from './evaluate.ts'
import type { CheckpointEvery } from './recipe.ts'
import { restoreState, type Trained, type TrainProgress, writeState } from './state.ts'

/** The checkpoints of one training. */
export interface Checkpoints {
  /**
   * Sets everything to the state that `read` gives, and returns the steps done by then: 0 where there is none, or where
   * it cannot be used, for which `warning` is the reason.
   */
  restore(read: ReadState | undefined): Promise<{ step: number; warning: string | null }>
  /** Steps done at the last one. */
  readonly saved: number
  /** Whether one is due after `step`. */
  due(step: number): boolean
  /** Keeps the evaluated weights for the next checkpoint if the value of the task's metric is the best so far. */
  judge(step: number, measured: Measured | undefined): Promise<void>
  /** The evaluated weights of a step. */
  snapshot(step: number): Promise<TrainEvent>
  /** Yields the checkpoint of a step, one that training can go on from unless it is the `last`. */
  take(step: number, last?: boolean): AsyncGenerator<TrainEvent>
}

/** Reads the state to go on from; null for none. */
export type ReadState = () => Promise<Uint8Array | null>

/** Checkpoints by time wait so many times as long as the last one took: a hundredth of training at most. */
const PAUSE = 100

/**
 * The best weights are evaluated ones, hence averages where there are. The files of the task go with the weights, as
 * metadata.
 */
export function checkpoints(trained: Trained, every: CheckpointEvery, { files }: Pick<Task, 'files'>): Checkpoints {
  const { model, average } = trained
  const evaluated = () => average.during(() => writeWeights(model.parameters, files))
  let best: TrainProgress['best'] = null
  let unsaved: { best?: Uint8Array } = {}
  let saved = 0
  const interval = (every.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let wait = interval
  let since = performance.now()
  return {
    async restore(read) {
      try {
        const file = await read?.()
        if (file) ({ step: saved, best } = restoreState(trained, file))
        return { step: saved, warning: null }
      } catch (error) {
        return { step: 0, warning: `${messageOf(error)}; training starts anew` }
      }
    },
    get saved() {
      return saved
    },
    due: (step) => (every.steps ? step % every.steps === 0 : false) || performance.now() - since >= wait,
    async judge(step, measured) {
      const { value = Number.NaN, meaning = {} } = measured ?? {}
      if (!Number.isFinite(value) || !meaning.better || (best && !isBetter(value, best.value, meaning))) return
      best = { step, value }
      unsaved = { best: await evaluated() }
    },
    snapshot: async (step) => ({ type: 'snapshot', step, weights: await evaluated() }),
    async *take(step, last = false) {
      const began = performance.now()
      const weights = await evaluated()
      const state = last ? {} : { state: await writeState(trained, { step, best }) }
      yield { type: 'checkpoint', step, weights, ...unsaved, ...state }
      unsaved = {}
      saved = step
      // by now whoever listens has written it
      since = performance.now()
      wait = Math.max(interval, PAUSE * (since - began))
    },
  }
}
