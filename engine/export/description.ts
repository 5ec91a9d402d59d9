import type { StoredRunDetails } from '../records/run.ts'
import type { WhichWeights } from '../records/store.ts'
import { type ChosenWeights, isTested } from '../records/tested.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import type { Preparation, Task } from '../tasks/types.ts'
import type { Measurement } from './measure.ts'

/** What an exported model says of itself, in every format the same; plain JSON. */
export interface Description extends Measurement {
  /** Version of this description. */
  version: 1
  run: { key: string; study: string; variant: string; seed: number }
  /** Which of its weights: the last, the best on validation, or those of a step. */
  weights: WhichWeights
  /** Steps done when they were taken; those when the weights of the test of its run were taken, null where it made none. */
  step: number
  testedAt: number | null
  /** Whether the test of the run was made with these weights. */
  tested: boolean
  /** Whether they are an exponential moving average of the weights that were trained. */
  averaged: boolean
  task: string
  /** Shape of what it reads, with `batch` for the examples. */
  input: { shape: (number | 'batch')[]; dtype: string; preparation: Preparation | null }
  /** What the outputs stand for; null where these are no classes. */
  classes: string[] | null
  /** The tokenizer as Mixlab keeps it; tokenizer.json beside the file is the same for other readers. */
  tokenizer: unknown
  /** How the weights differ from those of training. */
  changed: Changes
  /** Everything that decided the result. */
  spec: unknown
  /** The source of the block and of all cells it depends on; null where it is built in. */
  source: string | null
}

/** How an export differs from the weights as they were trained. */
export interface Changes {
  /** Whether affine layers are folded into their neighbours. */
  folded: boolean
  /** Whether Toeplitz matrices are written out. */
  toeplitz: boolean
}

/** What there is to say of a run's model. */
export function describe(
  run: StoredRunDetails,
  task: Task,
  weights: ChosenWeights,
  measured: Measurement,
  changed: Changes,
): Description {
  const { key, study, variant, seed } = run
  const { shape, dtype = 'float32' } = task.input
  const spec = recordedSpec(run.spec, `run ${run.id}`)
  const tokenizer = task.files?.['tokenizer.json']
  return {
    version: 1,
    run: { key, study, variant, seed },
    weights: weights.which,
    step: weights.step,
    testedAt: weights.testedAt,
    tested: isTested(weights),
    averaged: spec.train.ema !== undefined,
    task: spec.task.task,
    input: { shape: ['batch', ...shape.slice(1)], dtype, preparation: task.preparation ?? null },
    classes: task.classes ?? null,
    tokenizer: tokenizer === undefined ? null : JSON.parse(tokenizer),
    ...measured,
    changed,
    spec: run.spec,
    source: spec.model.code === 'built in' ? null : run.code,
  }
}
