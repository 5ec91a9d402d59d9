import type { StudyDesign, VariantFloors } from './design.ts'
import type { Environment, StepTime } from './environment.ts'
import type { TrainEvent } from './events.ts'
import type { MetricMeaning } from './meaning.ts'
import type { RunOrigin, StoredOrigin } from './origin.ts'
import type { Preflight } from './preflight.ts'

export type RunStatus = 'running' | 'done' | 'failed' | 'interrupted'

/** Names a run: its study, variant and seed. */
export interface RunName {
  /** SHA-256 of everything that decides the result; see key.ts. */
  key: string
  study: string
  variant: string
  seed: number
}

/** Which run another one starts from, and how its weights are taken where not all are, and as they are. */
export interface StartName extends RunName {
  fresh?: readonly string[]
  tokens?: 'resized' | 'copied'
}

/** Which file of weights. */
export interface FileName {
  /** SHA-256 of its bytes, and of how they are taken. */
  key: string
  path: string
  sha256: string
  resize?: true
  /** Of several models in it, how the names of this one begin. */
  prefix?: string
}

/** A run of a study before it is trained. */
export interface PlannedRun extends RunName {
  /** The run or the file whose weights it starts from. */
  from?: StartName | FileName | undefined
  /** The run whose model gives labels to this one. */
  teacher?: RunName | undefined
  /** The resolved spec, as JSON; what the key was made of. */
  spec: Record<string, unknown>
  /** The source of the block and of all cells it depends on. */
  code: string
}

/** A planned run at the moment it starts on a device. */
export interface RunStart extends PlannedRun {
  backend: string
  /** The adapter or processor, as it calls itself. */
  device: string
  origin?: RunOrigin
  environment?: Environment
  /**
   * The number of the attempt, from 1 on, where others than the store hand it out: a higher one takes over the run, the same
   * one goes on where its recording stopped, a lower one is refused. Left out, the store counts.
   */
  attempt?: number
}

/**
 * A run in training, and the number of its owner, which rises whenever another process takes over the run: that of the
 * attempt. `after`: so many events of this attempt are in the store; left out for none.
 */
export interface BegunRun {
  id: number
  epoch: number
  after?: number
}

/**
 * Who records: the owner by its number, and how many events of its attempt are recorded with this batch, by which one sent
 * twice is recorded once.
 */
export interface Recorder {
  epoch: number
  batch?: number | undefined
}

/** Answer of the store to events: milliseconds of training of the run so far, and whether the run shall stop. */
export interface Recorded {
  ms: number
  stop: boolean
}

/** The summary of one metric of one run, kept on every write. `best` is the last value where no way is better. */
export interface MetricSummary {
  last: number
  lastStep: number
  best: number
  bestStep: number
  min: number
  max: number
  count: number
  /** Left out for a run of before metrics said what they mean. */
  meaning?: MetricMeaning | undefined
}

/** A run as the store has it. Times are milliseconds since 1970. */
export interface StoredRun extends RunName {
  id: number
  status: RunStatus
  backend: string
  device: string
  startedAt: number
  endedAt: number | null
  /**
   * Milliseconds of training: the sum of the attempts' own time, without what lay between an interruption and its
   * resumption; of a run in training up to what it last recorded. The one time of a run that is shown.
   */
  ms: number
  /** Optimizer steps done, and planned. */
  step: number
  steps: number
  parameters: number
  /** Multiply-adds of a forward pass of one example, as `mixlab info` counts them; null where they were not counted. */
  macs: number | null
  /** Why a failed run failed. */
  error: string | null
  hasWeights: boolean
  /** Put away by the user: no study takes it any more. */
  archived: boolean
  /** The notebook that trained it; left out for a run of none, and for one of before that was recorded. */
  notebook?: string | undefined
  /** The least number that an attempt of elsewhere may have, of `lookAt` alone: that of the latest one of elsewhere, or one more. */
  nextAttempt?: number | undefined
  metrics: Record<string, MetricSummary>
}

/** A finished run with the same data, task and recipe as another one, and a number that it shares with those of its model. */
export interface AlikeRun extends StoredRun {
  model: number
}

/** A run with all that was recorded of it. */
export interface StoredRunDetails extends StoredRun {
  spec: unknown
  /** The source of the block and of all cells it depends on. */
  code: string
  /** Null for a run that no cell asked for, and for one of before origins were recorded. */
  origin: StoredOrigin | null
  environment: Environment | null
}

/** What executing a study yields, for each study that it starts from, and then for itself. Plain data. */
export type StudyEvent =
  | {
      type: 'plan'
      study: string
      metric: string
      /** The runs that the user asked for; the design has all. */
      variants: string[]
      design: StudyDesign
      /** `resumesAt`: steps done at the checkpoint that a run goes on from; null where there is none. */
      runs: (PlannedRun & { done: StoredRun | null; resumesAt: number | null })[]
    }
  /** What is known of those variants whose training is about to begin, after the plan; `left` are those there was no time to look at. */
  | { type: 'preflight'; study: string; variants: Preflight[]; left: string[] }
  /** What the user should know of the data, before the plan, or of a variant; training goes on. */
  | { type: 'warning'; message: string }
  /** The backend that was chosen for the missing runs, and what was timed for that. */
  | { type: 'backend'; study: string; backend: { name: string; device: string }; times: StepTime[] }
  | { type: 'begin'; key: string; id: number; backend: string }
  /** Another process trains the run, and the study waits for it. */
  | { type: 'elsewhere'; key: string }
  /** Runs that are not tried, since their code has failed with another seed for this reason. */
  | { type: 'skipped'; keys: string[]; error: string }
  /** These runs are not needed: the seeds before them have decided all of the study, or all that can be. `text` says so. */
  | { type: 'stopped'; study: string; keys: string[]; text: string }
  /** A run that another process trained is done or has failed. */
  | { type: 'ended'; key: string; run: StoredRun }
  /**
   * An event of a run in training; checkpoints, snapshots, histograms and outcomes come empty, the store has them. `ms` is the time
   * of the run so far as the store counts it (`StoredRun.ms`), and what it has where the event ends the run.
   */
  | { type: 'run'; key: string; id: number; event: TrainEvent; ms: number }
  /** What a read-out of a study gave for a run that is done. */
  | { type: 'readout'; key: string; id: number; metric: string; summary: MetricSummary }
  /** The variants beside the floors of their data, once all runs are over. */
  | { type: 'arms'; study: string; arms: VariantFloors[] }
  | { type: 'end'; trained: number; cached: number; failed: number; interrupted: boolean }
