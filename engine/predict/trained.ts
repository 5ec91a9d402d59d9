import { readTokenizer } from '../data/tokenizers/index.ts'
import type { Tokenizer } from '../data/tokenizers/types.ts'
import { MixlabError } from '../errors.ts'
import type { Model } from '../nn/model.ts'
import type { StoredRunDetails } from '../records/run.ts'
import type { Rebuilt } from '../study/recreate/rebuild.ts'
import { type RecordedSpec, recordedSpec } from '../study/recreate/recorded.ts'
import { taskNames } from '../tasks/index.ts'
import type { Preparation, Task } from '../tasks/types.ts'
import { type Facts, OPTIONS, over } from '../weights/foreign/facts.ts'
import { channelwise } from '../weights/foreign/resolveFacts.ts'

/** The task that a model is asked by, and that of the cell that changed it. */
export interface AnsweredTask {
  task: string
  options: Record<string, unknown>
  changedAs?: string
}

/**
 * The built-in task that a model of a task answers to: of one of a cell the one that it changes. Throws MixlabError
 * `option` where there is none, or nobody knows how its input is made.
 */
export function answeredTask(
  { task, options, base = task }: RecordedSpec['task'],
  preparation: Preparation | null | undefined,
  source: string,
): AnsweredTask {
  if (preparation && taskNames.includes(base)) return { task: base, options, ...(base !== task && { changedAs: task }) }
  const what = `is of task '${task}', whose models cannot be asked; those of built-in tasks on pictures, points and texts can`
  throw new MixlabError('option', source, what)
}

/** A trained model, and what it takes to ask it. */
export interface TrainedModel {
  /** What errors call it. */
  source: string
  model: Model
  task: AnsweredTask
  /** Of a run on a data set of a cell: its task with the data open. */
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

/** The model of a run, to be asked; disposed where it cannot be. Throws MixlabError `option` as `answeredTask`. */
export function trainedOf(run: StoredRunDetails, { model, task, dispose }: Rebuilt): TrainedModel {
  const source = `run ${run.id}`
  const { task: own, definitions } = recordedSpec(run.spec, source)
  const saved = task.files?.['tokenizer.json']
  try {
    return {
      source,
      model,
      task: answeredTask(own, task.preparation, source),
      ...(definitions?.data && { opened: task }),
      preparation: task.preparation as Preparation, // it is known where there is an answer
      classes: task.classes ?? null,
      tokenizer: saved === undefined ? null : readTokenizer(saved),
      notes: [],
      dispose,
    }
  } catch (error) {
    dispose()
    throw error
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
