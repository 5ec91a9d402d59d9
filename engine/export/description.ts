import type { MetricMeaning } from '../records/meaning.ts'
import type { StoredRunDetails } from '../records/run.ts'
import type { WhichWeights } from '../records/store.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import type { Preparation, Task } from '../tasks/types.ts'
import { isTiming } from '../train/timings.ts'

/** The metric of a run as a description has it. */
export type DescribedMetric = { value: number; step: number } & Pick<MetricMeaning, 'better' | 'unit'>

/** What an exported model says of itself, in every format the same; plain JSON. */
export interface Description {
  /** Version of this description. */
  version: 1
  run: { key: string; study: string; variant: string; seed: number }
  /** Which of its weights: the last, the best on validation, or those of a step. */
  weights: WhichWeights
  task: string
  /** Shape of what it reads, with `batch` for the examples. */
  input: { shape: (number | 'batch')[]; dtype: string; preparation: Preparation | null }
  /** What the outputs stand for; null where these are no classes. */
  classes: string[] | null
  /** The tokenizer as Mixlab keeps it; tokenizer.json beside the file is the same for other readers. */
  tokenizer: unknown
  /** What was measured in this run, with its seed above, at the last evaluation. */
  metrics: Record<string, DescribedMetric>
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
export function describe(run: StoredRunDetails, task: Task, weights: WhichWeights, changed: Changes): Description {
  const { key, study, variant, seed } = run
  const { shape, dtype = 'float32' } = task.input
  const spec = recordedSpec(run.spec, `run ${run.id}`)
  const measured = Object.entries(run.metrics).filter(([name]) => !isTiming(name))
  const metrics = measured.map(([name, { last, lastStep, meaning }]) => {
    const { better, unit } = meaning ?? {}
    return [name, { value: last, step: lastStep, ...(better && { better }), ...(unit && { unit }) }]
  })
  const tokenizer = task.files?.['tokenizer.json']
  return {
    version: 1,
    run: { key, study, variant, seed },
    weights,
    task: spec.task.task,
    input: { shape: ['batch', ...shape.slice(1)], dtype, preparation: task.preparation ?? null },
    classes: task.classes ?? null,
    tokenizer: tokenizer === undefined ? null : JSON.parse(tokenizer),
    metrics: Object.fromEntries(metrics),
    changed,
    spec: run.spec,
    source: spec.model.code === 'built in' ? null : run.code,
  }
}
