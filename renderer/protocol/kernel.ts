import type { BackendInfo, BackendName } from '../../engine/backends/types.ts'
import type { Power } from '../../engine/backends/webgpu/card.ts'
import type { Conformance } from '../../engine/conformance/index.ts'
import type { LookAtData } from '../../engine/datacard/look.ts'
import type { Known } from '../../engine/examples/factors.ts'
import type { ShownExample } from '../../engine/examples/shown.ts'
import type { AblatedMetric } from '../../engine/explain/ablation.ts'
import type { Cell, NotebookFacts } from '../../engine/notebook/types.ts'
import type { EvaluatedOn } from '../../engine/predict/evaluateOn.ts'
import type { Said, Trial } from '../../engine/predict/said.ts'
import type { Explanation } from '../../engine/records/explanation.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import type { CellError, ConsoleLine, ValueView } from './output.ts'
import type { SentEvent } from './runPoints.ts'

/** A way to run tensors on this machine. */
export interface BackendOption extends BackendInfo {
  /** Whether the graphics adapter is emulated by the processor. */
  software: boolean
}

export interface BackendReport {
  chosen: BackendOption
  options: BackendOption[]
  /** The graphics cards by name, where the browser has two to choose from. */
  cards?: { power: Power; device: string }[]
}

/** Which of two graphics cards the user wants, and how often one was lost since. */
export interface CardWanted {
  power: Power
  losses: number
}

export interface EvaluateRequest {
  cells: Cell[]
  facts: NotebookFacts
  id: string
  /** Whether to train if the value is a study; else it is only evaluated. */
  train: boolean
  /** Since when the user has had this text run, in ms since 1970. */
  writtenAt?: number
  /** Runs to train at a time where the backend can; null leaves it to the kernel. */
  atOnce: number | null
  /** The keys of the runs that its studies must have, by study, where the cell goes on; null for any. */
  plans: Record<string, string[]> | null
}

export interface EvaluateResult {
  value: ValueView | null
  error: CellError | null
  /** Names of the studies that the cell defines. */
  studies: string[]
  interrupted: boolean
}

/** What a run of the store is asked with such weights: a file, what was drawn, one or two texts, or a validation example. */
export interface AnswerRequest {
  run: StoredRunDetails
  /** A safetensors file. */
  weights: Uint8Array
  question: Trial | { example: number }
}

/** An explanation as it crosses to the page, where typed arrays are bytes of float32. */
export interface SentExplanation extends Omit<Explanation, 'drops' | 'mixing' | 'gradient'> {
  drops: number[]
  mixing: { block: number; tokens: number; values: Uint8Array }[]
  gradient: { rows: number; columns: number; values: Uint8Array } | null
}

/** A run of the store with such weights, and a data set as a cell names it, or by its path. */
export interface MeasureRequest {
  run: StoredRunDetails
  /** A safetensors file. */
  weights: Uint8Array
  data: string
}

/** What is asked of test examples of a run of the store, each by its place in the test. */
export interface ExamplesRequest {
  run: StoredRunDetails
  test: string
  /** A safetensors file, where the model shall say something; null where its data are enough. */
  weights: Uint8Array | null
  /** Examples to be drawn. */
  shown?: number[]
  /** Examples of which is asked what is known beside what they show. */
  known?: number[]
  /** Whether all are evaluated again. */
  again?: true
}

/** The answers to what is asked. */
export interface ExamplesAnswer {
  shown?: ShownExample[]
  known?: Known
  outcomes?: Uint8Array
}

/** How a reference case compares. */
export interface CaseResult extends Pick<Conformance, 'case' | 'passed'> {
  /** How many tensors and numbers were compared. */
  checks: number
  /** The one closest to its bound; null where nothing could be compared, and then why. */
  worst: Conformance['worst'] | null
  why?: string
}

export interface KernelMemory {
  tensors: number
  bytes: number
}

/** What the kernel offers to the page. */
export interface KernelCalls {
  /** Chooses and starts a backend; `null` leaves the choice to the kernel. Throws MixlabError `backend`. */
  start(wanted: BackendName | null): Promise<BackendReport>
  evaluate(request: EvaluateRequest): Promise<EvaluateResult>
  /** Asks the cell in progress to stop at the next step. */
  interrupt(): Promise<void>
  /** What a run of the store says, the five likeliest of each place. One whose block is in a cell waits until no cell runs. Throws MixlabError. */
  answer(request: AnswerRequest): Promise<Said>
  /** Why a run of the store says so; waits likewise. Throws MixlabError. */
  explain(request: AnswerRequest): Promise<SentExplanation>
  /** The metric of a run without each part of its model; waits likewise. Throws MixlabError. */
  ablate(request: Pick<AnswerRequest, 'run' | 'weights'>): Promise<AblatedMetric>
  /** The metrics of a run on another data set, which are not kept; waits likewise. Throws MixlabError. */
  measure(request: MeasureRequest): Promise<EvaluatedOn>
  /** What data are: their card, samples, a batch. Cells that define them are evaluated, once no cell runs. Throws MixlabError. */
  lookAtData: LookAtData
  /** Test examples of a run, drawn or evaluated again; waits likewise. Throws MixlabError. */
  examples(request: ExamplesRequest): Promise<ExamplesAnswer>
  /** Compares a reference case, the bytes of a safetensors file, once no cell runs. Throws MixlabError. */
  conformance(name: string, file: Uint8Array): Promise<CaseResult>
  /** A sign of life. */
  ping(): Promise<KernelMemory>
}

/** Events of a kernel. */
export interface KernelEvents {
  print(id: string, lines: ConsoleLine[]): void
  /** What `display` shows. */
  show(id: string, values: ValueView[]): void
  study(id: string, name: string, events: SentEvent[]): void
  memory(memory: KernelMemory): void
  /** The device is gone; nothing computed from now on can be trusted. */
  lost(message: string): void
}

/** What the page offers to the kernel: data files and the store of runs, within a capability, and its listener. */
export interface PageCalls extends KernelListener {
  /**
   * Makes one of the `kernelCalls` of the host. The page hands the arguments on as the kernel has packed them: records come
   * four times a second of each run, and checkpoints with all weights.
   */
  askHost(name: string, given: Uint8Array): Promise<unknown>
}

/** The page's listener: events of a kernel, and the calls that it makes to the page itself. */
export interface KernelListener extends KernelEvents {
  cardWanted(): Promise<CardWanted>
  /** The result of the check of an adapter; null where it was not made yet. */
  selfTested(adapter: string): Promise<{ why: string | null } | null>
  /** Stores why an adapter did not pass its check, or null if it did. */
  noteSelfTest(adapter: string, why: string | null): Promise<void>
  selfTestCases(): Promise<{ name: string; file: Uint8Array }[]>
}

/** What a trainer is started with: the cell whose studies it trains. */
export interface TrainerStart extends Pick<EvaluateRequest, 'cells' | 'facts' | 'id'> {
  threads: number
}
