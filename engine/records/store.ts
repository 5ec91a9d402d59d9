import type { TrainEvent } from './events.ts'
import type { RunStart, StoredRun } from './run.ts'

/** Where runs are kept. */
export interface RunStore {
  /** The finished runs among `keys`, with their metrics. */
  findDone(keys: string[]): Promise<StoredRun[]>
  /** Of those among `keys` that were interrupted on a backend, the steps done at their last checkpoint. */
  findResumable(keys: string[], backend: string): Promise<{ key: string; step: number }[]>
  /**
   * Takes up the interrupted attempt of a run on its backend, or starts a new one, and returns the id. Null where
   * somebody else trains it or it is done.
   */
  beginRun(run: RunStart): Promise<number | null>
  /** What a run needs to go on from its last checkpoint, or null. Throws MixlabError `store` where it is lost. */
  readState(id: number): Promise<Uint8Array | null>
  /** Appends events in one transaction. `checkpoint`, `done`, `failed` and `interrupted` change the run itself. */
  record(id: number, events: TrainEvent[]): Promise<void>
  /**
   * The latest weights of a run as a safetensors file, those that were best by the task's metric, or those of a step that
   * were kept on the way. Throws MixlabError `store` if it has none.
   */
  readWeights(id: number, which?: WhichWeights): Promise<Uint8Array>
}

/** A number is that of the steps done. */
export type WhichWeights = 'last' | 'best' | number

/** Weights of a run that can be read, and the number of steps done when they were taken. */
export interface KeptWeights {
  which: WhichWeights
  step: number
}
