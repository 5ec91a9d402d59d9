import { z } from 'zod'
import { BACKENDS, type BackendName } from '../../engine/backends/types.ts'
import { byteArray, type Calls, count, text, texts, whole, writes } from '../../engine/call.ts'
import type { LookAtData } from '../../engine/datacard/look.ts'
import type { Diagram } from '../../engine/diagram/diagram.ts'
import type { Known } from '../../engine/examples/factors.ts'
import type { AblatedMetric } from '../../engine/explain/ablation.ts'
import type { SentAttention } from '../../engine/explain/sentAttention.ts'
import type { ExportedRun, ExportOptions } from '../../engine/export/export.ts'
import type { kernelCalls } from '../../engine/host.ts'
import type { Question, Reply } from '../../engine/predict/ask.ts'
import type { EvaluatedOn } from '../../engine/predict/evaluateOn.ts'
import type { SidecarInfo } from '../../engine/predict/file.ts'
import type { Generated, GenerateOptions } from '../../engine/predict/generate.ts'
import type { TrainedModel } from '../../engine/predict/trained.ts'
import type { Environment, Machine } from '../../engine/records/environment.ts'
import type { TrainEvent } from '../../engine/records/events.ts'
import type { Explanation } from '../../engine/records/explanation.ts'
import type { PlannedRun, StoredRunDetails, StudyEvent } from '../../engine/records/run.ts'
import { plannedRun } from '../../engine/records/store.ts'
import type { StudyOptions } from '../../engine/study/design/resolve.ts'
import type { StudyEnvironment } from '../../engine/study/execute.ts'
import type { TrainedOn } from './deviceLoss.ts'

/** Arguments of a process of cells. */
export interface CellsStart {
  /** The text of the notebook; '' where there is only a model to open or a run to export. */
  notebook: string
  /** What executes tensors; null lets the fastest be found for each study. */
  backend: string | null
  /** Whether this machine may have a graphics card. */
  card: boolean
  /** A part of the name of the card that is to be used; without it the faster one. */
  cardName?: string | undefined
  /** Threads of `simd`, those of all places together. */
  threads: number
  /** So many processes train; with one, it is this one. On `webgpu` so many seeds of a variant at once, in this one. */
  places: number
  /** The cells keep the rights of the user. */
  trusted: boolean
  /** It trains beside others, and another process plans and makes generated examples. */
  place?: boolean | undefined
  /** Runs are trained elsewhere, by whoever takes them out of a queue of the parent. */
  queued?: boolean | undefined
}

/** A study whose runs a queue hands out: what is trained, on which backend. */
export interface QueuedStudy extends StudyOptions {
  study: string
  backend: BackendName
}

/** An attempt that somebody makes at a run out of the queue; see `Attempt` (engine/study/runners). */
export interface QueuedAttempt {
  number: number
  on: { backend: string; device: string; environment: Environment }
}

/** What the parent has of a queue. */
export interface RunQueue {
  /**
   * An attempt at a run, once a worker makes one, whose result is not in the store; the same one again until it is lost.
   * `before` are the keys of the runs that it starts from. Null once the queue is closed. Throws MixlabError `owner` where
   * another process trains it or has ended it.
   */
  attempt(work: QueuedWork): Promise<QueuedAttempt | null>
  /** Takes a run out again for which `attempt` waits: that has null then. */
  takeBack(key: string): Promise<void>
  /**
   * The next events of an attempt behind the first `after`, of which the store has `recorded`; null behind its end. Why
   * it is lost, where another one has taken over or has to.
   */
  events(key: string, number: number, after: number, recorded: number): Promise<TrainEvent[] | { lost: string } | null>
}

/** A run for a queue, with all that training it takes beside its code: the notebook, and the data that this has read. */
export interface QueuedWork {
  run: PlannedRun
  of: QueuedStudy
  before: string[]
  notebook: string
  files: UsedFiles
}

/** The paths that were read and listed. */
export interface UsedFiles {
  read: Set<string>
  listed: Set<string>
}

/** What a study of a notebook is called. */
export interface StudyNames {
  name: string
  variants: string[]
  /** The numbers of the studies that it starts from. */
  from: number[]
}

/** A cell that failed, or did not run `because` another one failed. */
export interface FailedNames {
  cell: string
  because: string | null
  message: string
  /** The studies that it would have defined. */
  studies: string[]
}

/** What to train of a study, and what is recorded with its runs. */
export interface StudyChoice extends StudyOptions, Pick<TrainedOn, 'move'>, Pick<StudyEnvironment, 'failed' | 'keys'> {
  machine: Machine
}

/** Where a model comes from. */
export type ModelSource = { beside: SidecarInfo } & (
  | { run: StoredRunDetails; weights: Uint8Array }
  | { parts: Uint8Array[]; name: string }
)

/** An explanation as it is printed. */
export type PrintedExplanation = Omit<Explanation, 'drops' | 'mixing' | 'gradient'> & { drops: number[] }

/** A model that can be asked, seen from elsewhere. */
export type OpenedModel = Pick<TrainedModel, 'source' | 'task' | 'preparation' | 'classes' | 'notes'>

/** What a process of cells offers. `open` comes first. */
export interface CellsCalls {
  /** Starts threads and device, gives up all rights, and returns the name of the backend. Throws MixlabError `backend`. */
  open(start: CellsStart): Promise<string>
  /** Evaluates the notebook; a study is called by its number in the list. Throws MixlabError. */
  studies(): Promise<{ studies: StudyNames[]; failed: FailedNames[] }>
  /** What the models of the study of this number do. Throws what opening their data throws. */
  diagrams(study: number): Promise<Diagram[]>
  /** What the model of a run does. Throws as `withRunModel` (engine/diagram). */
  diagramOfRun(run: StoredRunDetails): Promise<Diagram>
  /** Begins to train the study of this number. */
  begin(study: number, choice: StudyChoice): Promise<void>
  /** What has happened since the last call, at least one event; null at the end. Throws what `executeStudy` throws. */
  next(): Promise<StudyEvent[] | null>
  /** Stops what is trained between two steps, and lets nothing more be trained. */
  interrupt(): Promise<void>
  /** Throws what the function of this name throws (engine/export). */
  exportRun(run: StoredRunDetails, weights: Uint8Array, options: ExportOptions): Promise<ExportedRun>
  /** Makes the model of a run or of a file, which is the one asked from then on. Throws what `rebuild` and `modelOfFile` throw. */
  openModel(of: ModelSource): Promise<OpenedModel>
  /** Answers questions with the `top` likeliest classes or tokens. Throws what `askAll` throws (engine/predict). */
  askAll(questions: Question[], top: number): Promise<Reply[]>
  /** Why the model says so, or of the class of a name, null: the likeliest. Throws what `explain` and `classNamed` throw. */
  explain(question: Question, className: string | null): Promise<PrintedExplanation>
  /** The metric of a run without each of its parts. Throws what `ablateOn` throws, and MixlabError `option` for a file. */
  ablate(examples: number): Promise<AblatedMetric>
  /** Writes a text. Throws what `generate` throws. */
  generate(options: GenerateOptions): Promise<Generated>
  /**
   * Evaluates the model on the data set that `data` names (null: the one that it was trained on), on one part of it
   * (null: its tests), on the first `examples` (null: all).
   */
  evaluateOn(data: string | null, part: string | null, examples: number | null): Promise<EvaluatedOn>
  /** Its attention for a validation example. Throws what `attentionOf` throws (engine/explain). */
  attention(run: StoredRunDetails, weights: Uint8Array, example: number): Promise<SentAttention[]>
  /** Throws what the functions of these names throw (engine/examples). */
  outcomesAgain(run: StoredRunDetails, weights: Uint8Array): Promise<Uint8Array>
  knownExamples(run: StoredRunDetails, test: string, indices: number[]): Promise<Known>
  /** What data are: their card, samples, a batch. Throws what opening them throws. */
  lookAtData: LookAtData
  /** A message from the process at a place, or that this has ended, and why. */
  fromPlace(place: number, message: Uint8Array): Promise<void>
  placeEnded(place: number, why: string): Promise<void>
  /** Where this is the process at a place: a message from the one that plans. */
  toJob(message: Uint8Array): Promise<void>
}

/** The fields that identify a planned run. */
export type NamedRun = Pick<PlannedRun, 'key' | 'variant'>

const runs = z.array(z.object({ key: text, variant: text }))
const place = count
const backend = z.enum(BACKENDS)
const queuedStudy = z.strictObject({
  ...{ study: text, backend },
  ...{ quick: z.boolean().optional(), only: texts.optional(), seeds: z.union([count, z.array(whole)]).optional() },
})

/** What a process of cells may ask for beside data and store. */
export const aroundCalls = {
  /** Shows how far an export is, in one line. */
  showProgress: writes<(line: string) => void>({ line: text }),
  /** Shows a line that a cell prints. */
  print: writes<(line: string) => void>({ line: text }),
  /**
   * Announces the runs of a study, before the store is asked which of them are done. Throws MixlabError `permission` as
   * `lookAt`.
   */
  planned: writes<(study: string, runs: NamedRun[]) => void>({ study: text }, { runs }),
  /**
   * The runs of a study again, once their backend is chosen. `move`: runs that were interrupted on another backend may
   * continue on this one.
   */
  starting: writes<(study: string, runs: NamedRun[], backend: BackendName, move: boolean) => void>(
    { study: text },
    { runs },
    { backend },
    { move: z.boolean() },
  ),
  /** Starts a process at a place. Throws MixlabError `option` beyond the number of places. */
  startPlace: writes<(place: number, backend: BackendName) => void>({ place }, { backend }),
  toPlace: writes<(place: number, message: Uint8Array) => void>({ place }, { message: byteArray }),
  endPlace: writes<(place: number) => void>({ place }),
  /** As `RunQueue.attempt`; null where the command has no queue. Throws MixlabError `permission` as `lookAt`. */
  queueRun: writes<(of: QueuedStudy, run: PlannedRun, before: string[]) => QueuedAttempt | null>(
    { of: queuedStudy },
    { run: plannedRun },
    { before: texts },
  ),
  /** As `RunQueue.takeBack`. */
  unqueueRun: writes<(key: string) => void>({ key: text }),
  /** As `RunQueue.events`. */
  queuedEvents: writes<
    (key: string, number: number, after: number, recorded: number) => TrainEvent[] | { lost: string } | null
  >({ key: text }, { number: count }, { after: count }, { recorded: count }),
  /** Where the asking process is that at a place: a message for the one that plans. */
  fromJob: writes<(message: Uint8Array) => void>({ message: byteArray }),
}

/** All that it may ask for: data and store as the kernel of the page, with a capability as that, and the above. */
export type AskedCalls = Calls<typeof kernelCalls & typeof aroundCalls>
