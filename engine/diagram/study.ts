import type { FileSource } from '../data/files.ts'
import { ownDataIn } from '../data/spec.ts'
import type { Forward, InputSpec } from '../nn/model.ts'
import type { Modules } from '../notebook/modules.ts'
import type { StoredRunDetails } from '../records/run.ts'
import type { Study } from '../study/compare.ts'
import { resolveStudy } from '../study/design/resolve.ts'
import { planOf } from '../study/recreate/rebuild.ts'
import { kindOf, type TaskSpec } from '../tasks/index.ts'
import type { Task } from '../tasks/types.ts'
import type { Diagram } from './diagram.ts'
import { diagramOf } from './record.ts'

/** Tasks that stay open from one look to the next: their data are read once. */
export type OpenTasks = Map<string, Promise<Task>>

/** The most of them. */
const OPEN = 4

/** The code of a model, and what it reads. */
export interface ModelCode {
  name: string
  forward: Forward
  input: InputSpec
}

/** The models of the variants of a study, in their order. Opens data, and throws what that throws, and trains nothing. */
export async function studyModels(study: Study, files: FileSource, open: OpenTasks = new Map()): Promise<ModelCode[]> {
  const models: ModelCode[] = []
  for (const { name, block, size, task } of resolveStudy(study).variants) {
    const opened = await openTask(task, files, open)
    models.push({ name, forward: opened.model(block, size), input: opened.input })
  }
  return models
}

/** What these do. */
export async function studyDiagrams(study: Study, files: FileSource): Promise<Diagram[]> {
  const diagrams: Diagram[] = []
  for (const model of await studyModels(study, files)) diagrams.push(await diagramOfModel(model))
  return diagrams
}

export const diagramOfModel = ({ name, forward, input }: ModelCode) => diagramOf(name, forward, input)

/** Uses the model of a stored run, without its weights. Throws as `planOf`. */
export async function withRunModel<Result>(
  run: StoredRunDetails,
  files: FileSource,
  modules: Modules,
  use: (model: ModelCode) => Promise<Result>,
): Promise<Result> {
  const { block, size, task, forget } = await planOf(run, files, modules)
  try {
    return await use({ name: `run ${run.id}, ${run.variant}`, forward: task.model(block, size), input: task.input })
  } finally {
    forget()
  }
}

/** Those that cells define are other ones each time. */
function openTask(task: TaskSpec, files: FileSource, open: OpenTasks): Promise<Task> {
  const isOwn = task.defined !== undefined || ownDataIn(task.options).length > 0
  const key = JSON.stringify([task.task, task.options])
  const known = isOwn ? undefined : open.get(key)
  if (known) return known
  const opened = kindOf(task).open(task.options, files)
  if (!isOwn) {
    open.set(key, opened)
    opened.catch(() => open.delete(key))
    for (const old of [...open.keys()].slice(0, -OPEN)) open.delete(old)
  }
  return opened
}
