import type { BackendInfo } from '../../engine/backends/types.ts'
import type { MeasuredSteps, StepTimesRequest } from '../../engine/bench/stepTimes.ts'
import type { Diagram } from '../../engine/diagram/diagram.ts'
import type { Times } from '../../engine/diagram/time.ts'
import type { SentAttention } from '../../engine/explain/sentAttention.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import type { EvaluateRequest } from './kernel.ts'
import type { CellError } from './output.ts'

/** A cell as it is now, with all it may need. */
export type CellRequest = Pick<EvaluateRequest, 'cells' | 'facts' | 'id'>

/** The models of the studies of a cell; of one without a study, of those of a cell that depends on it. */
export interface CellModels {
  /** The cell that defines the studies; null where there is none. */
  cell: string | null
  studies: { study: string; diagrams: Diagram[] }[]
  /** What evaluating threw, and in which cell. */
  error: { cell: string; error: CellError } | null
}

/** A model whose times are wanted: a variant of a cell as it was last, or of a run. */
export type TimedModel = { study: string; variant: string } | { run: StoredRunDetails }

/** The weights of a run of the store, and an example of its held-out split. */
export interface AttentionRequest {
  run: StoredRunDetails
  /** A safetensors file. */
  weights: Uint8Array
  example: number
}

/** What the worker that draws models offers to the page. */
export interface ModellerCalls {
  /** Evaluates what has changed of the cells, and records the models. */
  ofCell(request: CellRequest): Promise<CellModels>
  /** The model of a run of the store. Throws MixlabError. */
  ofRun(run: StoredRunDetails): Promise<Diagram>
  /** What a run of the store attends to, computed by the processor. Throws MixlabError. */
  attention(request: AttentionRequest): Promise<SentAttention[]>
  /** Makes a model on a backend, with random values, and measures it. Throws MixlabError. */
  times(of: TimedModel, backend: BackendInfo, batch: number): Promise<Times>
  /** Times training steps of the blocks of the formulas around some sizes. Throws MixlabError. */
  stepTimes(request: StepTimesRequest, backend: BackendInfo): Promise<MeasuredSteps>
}
