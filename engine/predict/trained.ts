import { readTokenizer } from '../data/tokenizers/index.ts'
import type { Tokenizer } from '../data/tokenizers/types.ts'
import { MixlabError } from '../errors.ts'
import type { Model } from '../nn/model.ts'
import type { StoredRunDetails } from '../records/run.ts'
import type { Rebuilt } from '../study/recreate/rebuild.ts'
import { recordedSpec } from '../study/recreate/recorded.ts'
import type { Preparation, Task } from '../tasks/types.ts'
import { type Facts, OPTIONS, over } from '../weights/foreign/facts.ts'
import { channelwise } from '../weights/foreign/resolveFacts.ts'

/** A trained model, and what it takes to ask it. */
export interface TrainedModel {
  /** What errors call it. */
  source: string
  model: Model
  task: { task: string; options: Record<string, unknown> }
  /** Of a run: its task with the data open. */
  opened?: Task
  /** How what it reads is made. */
  preparation: Preparation
  /** What its outputs stand for, where these are classes. */
  classes: string[] | null
  tokenizer: Tokenizer | null
  /** What was assumed of a file from elsewhere, and is done otherwise than there. */
  notes: string[]
  dispose(): void
}

/** The model of a run, to be asked. */
export function trainedOf(run: StoredRunDetails, { model, task, dispose }: Rebuilt): TrainedModel {
  const saved = task.files?.['tokenizer.json']
  return {
    source: `run ${run.id}`,
    model,
    task: recordedSpec(run.spec, `run ${run.id}`).task,
    opened: task,
    preparation: task.preparation as Preparation, // all tasks have one
    classes: task.classes ?? null,
    tokenizer: saved === undefined ? null : readTokenizer(saved),
    notes: [],
    dispose,
  }
}

/**
 * A model that says itself how it is made, with the mean and deviation of pixels that a user gives instead. Throws MixlabError
 * `option` for what it says itself, and where it reads no pictures.
 */
export function withFacts(trained: TrainedModel, facts: Facts): TrainedModel {
  const { preparation, source } = trained
  const names = (Object.keys(facts) as (keyof Facts)[]).filter((name) => facts[name] !== undefined)
  const own = names.find((name) => name !== 'mean' && name !== 'deviation')
  if (own) throw new MixlabError('option', OPTIONS[own], `${source} says it itself`)
  const [first] = names
  if (first === undefined) return trained
  if (preparation.kind !== 'image') throw new MixlabError('option', OPTIONS[first], `${source} reads no pictures`)
  const given = channelwise(over(facts, preparation), preparation.channels)
  return { ...trained, preparation: { ...preparation, ...given } }
}
