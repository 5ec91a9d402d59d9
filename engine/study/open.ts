import type { FileSource } from '../data/files.ts'
import { MixlabError } from '../errors.ts'
import type { RunOrigin } from '../records/origin.ts'
import type { PlannedRun } from '../records/run.ts'
import { taskKind } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import type { Study } from './compare.ts'
import { checkFit } from './fit.ts'
import { measuring } from './metrics.ts'
import { originOf } from './origin.ts'
import { planRuns } from './plan.ts'
import { type ResolvedStudy, resolveStudy, type StudyOptions } from './resolve.ts'

/** A study with its data open and its runs planned. */
export interface OpenStudy {
  resolved: ResolvedStudy
  task: Task
  planned: PlannedRun[]
  /** Where its runs come from; null where no cell defines it. */
  origin: Omit<RunOrigin, 'notebook'> | null
  /** The study that its runs start from. */
  before: OpenStudy | undefined
}

/**
 * Opens the data of a study and plans its runs; before that the study that it starts from, with the same options. Throws
 * MixlabError for anything wrong with either, or where they do not fit.
 */
export async function openStudy(study: Study, options: StudyOptions, files: FileSource): Promise<OpenStudy> {
  const { quick, seeds } = options
  const resolved = resolveStudy(study, options)
  const task = measuring(await taskKind(resolved.task.task).open(resolved.task.options, files), study)
  const before = resolved.from && (await openStudy(resolved.from, { quick, seeds }, files))
  if (before && tokenizerOf(before.task) !== tokenizerOf(task)) {
    const message = `the tokenizer of '${before.resolved.name}' is another; give both tasks the same`
    throw new MixlabError('option', `${study.name}.from`, message)
  }
  const planned = planRuns(study, resolved, task, before?.planned)
  const open = { resolved, task, planned, origin: originOf(study, quick === true), before }
  if (before) await checkFit(open, before)
  return open
}

/** The tokenizer of a task about text: what its token ids mean. */
function tokenizerOf({ files }: Task): string | undefined {
  return files?.['tokenizer.json']
}
