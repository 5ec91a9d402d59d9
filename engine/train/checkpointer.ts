import { messageOf } from '../errors.ts'
import type { TrainEvent } from '../records/events.ts'
import { isBetter } from '../records/meaning.ts'
import type { Task } from '../tasks/types.ts'
import { writeWeights } from '../weights/model.ts'
import type { Measured } from './evaluate.ts'
import type { CheckpointEvery } from './recipe.ts'
import { restoreState, type TrainingState, type TrainProgress, writeState } from './state.ts'
import { withWeights } from './withWeights.ts'

/** The checkpoints of one training. */
export interface Checkpointer {
  /**
   * Sets everything to the state that `read` gives and returns the steps done by then: 0 without a state, or with one
   * that cannot be used; then `warning` is the reason. `readBest` gives the best weights of that time.
   */
  restore(
    read: ReadState | undefined,
    readBest: ReadState | undefined,
  ): Promise<{ step: number; warning: string | null }>
  /** Steps done at the last one. */
  readonly savedStep: number
  /** Whether one is due after `step`. */
  due(step: number): boolean
  /** Keeps the evaluated weights, also for the next checkpoint, if `value` of the selection metric is the best so far. */
  updateBest(step: number, measured: Measured | undefined): Promise<void>
  /**
   * Runs `body` with the step of the weights that were chosen, while the model has them: the best ones or, where no value
   * was better than another, those evaluated at step `last`. It has its own again however that ends.
   */
  withBestWeights<T>(last: number, body: (step: number) => Promise<T>): Promise<T>
  /** The evaluated weights of a step. */
  snapshot(step: number): Promise<TrainEvent>
  /** Yields the checkpoint of a step, one that training can go on from unless it is the `last`. */
  saveCheckpoint(step: number, last?: boolean): AsyncGenerator<TrainEvent>
}

/** Reads the state to go on from, or the best weights beside it; null for none. */
export type ReadState = () => Promise<Uint8Array | null>

/** Between two checkpoints by time lies at least this many times what one takes: they cost a hundredth of training at most. */
const PAUSE = 100

/**
 * The best weights are evaluated ones, hence averages where there are. The files of the task go with the weights, as
 * metadata.
 */
export function createCheckpointer(
  trained: TrainingState,
  every: CheckpointEvery,
  { files }: Pick<Task, 'files'>,
): Checkpointer {
  const { model, average } = trained
  const evaluated = () => average.withAveragedWeights(() => writeWeights(model.parameters, files))
  let best: TrainProgress['best'] = null
  let chosen: Uint8Array | null = null
  let unsaved: { best?: Uint8Array; bestStep?: number } = {}
  let saved = 0
  const interval = (every.seconds ?? Number.POSITIVE_INFINITY) * 1000
  let wait = interval
  let since = performance.now()
  return {
    async restore(read, readBest) {
      try {
        const file = await read?.()
        if (!file) return { step: 0, warning: null }
        chosen = (await readBest?.()) ?? null
        ;({ step: saved, best } = restoreState(trained, file, chosen !== null))
        return { step: saved, warning: null }
      } catch (error) {
        return { step: 0, warning: `${messageOf(error)}; training starts anew` }
      }
    },
    get savedStep() {
      return saved
    },
    due: (step) => (every.steps ? step % every.steps === 0 : false) || performance.now() - since >= wait,
    async updateBest(step, measured) {
      const { value = Number.NaN, meaning = {} } = measured ?? {}
      if (!Number.isFinite(value) || !meaning.better || (best && !isBetter(value, best.value, meaning))) return
      best = { step, value }
      chosen = await evaluated()
      unsaved = { best: chosen, bestStep: step }
    },
    withBestWeights: (last, body) =>
      best && chosen
        ? withWeights(model.parameters, chosen, () => body(best?.step ?? last))
        : average.withAveragedWeights(() => body(last)),
    snapshot: async (step) => ({ type: 'snapshot', step, weights: await evaluated() }),
    async *saveCheckpoint(step, last = false) {
      const began = performance.now()
      const weights = await evaluated()
      const state = last ? {} : { state: await writeState(trained, { step, best }) }
      yield { type: 'checkpoint', step, weights, ...unsaved, ...state }
      unsaved = {}
      saved = step
      // by now the consumer of the events has written it
      since = performance.now()
      wait = Math.max(interval, PAUSE * (since - began))
    },
  }
}
