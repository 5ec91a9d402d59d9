import { readTokenizer } from '../data/tokenizers/index.ts'
import type { Tokenizer } from '../data/tokenizers/types.ts'
import type { Model } from '../nn/model.ts'
import type { StoredRunDetails } from '../records/run.ts'
import type { Rebuilt } from '../study/recreate/rebuild.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import type { Preparation } from '../tasks/types.ts'

/** A trained model, and what it takes to ask it. */
export interface TrainedModel {
  /** What errors call it. */
  source: string
  model: Model
  task: { task: string; options: Record<string, unknown> }
  /** How what it reads is made. */
  preparation: Preparation
  /** What its outputs stand for, where these are classes. */
  classes: string[] | null
  tokenizer: Tokenizer | null
  dispose(): void
}

/** The model of a run, to be asked. */
export function trainedOf(run: StoredRunDetails, { model, task, dispose }: Rebuilt): TrainedModel {
  const saved = task.files?.['tokenizer.json']
  return {
    source: `run ${run.id}`,
    model,
    task: recordedSpec(run.spec, `run ${run.id}`).task,
    preparation: task.preparation as Preparation, // all tasks have one
    classes: task.classes ?? null,
    tokenizer: saved === undefined ? null : readTokenizer(saved),
    dispose,
  }
}
