import { dataNamed } from '../data/dataNamed.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError, suggest } from '../errors.ts'
import { isStudy } from '../study/compare.ts'
import { kindOf, resolveTask, type TaskSpec, taskKind } from '../tasks/index.ts'
import type { RecipeOptions } from '../train/recipe.ts'
import { type Sort, sorts } from './sorts.ts'
import { isData, isTask } from './value.ts'

/** A data set that is looked at, with the task that reads it and what the recipe makes of its batches. */
export interface Subject {
  sort: Sort
  /** As a user has written it. */
  data: DataSpec
  task: TaskSpec
  recipe: RecipeOptions
}

/**
 * What a value of a cell says of data: a data set, a task, or a study, whose recipe it then has; null for any other. A data
 * set is read for `task`, or for the first task that can. Throws MixlabError `option` for one with wrong options.
 */
export function subjectOf(value: unknown, task?: string): Subject | null {
  if (isStudy(value)) return ofTask(value.spec.task, value.spec.train ?? {})
  if (isTask(value)) return ofTask(value, {})
  return isData(value) ? ofData(value, task) : null
}

/** The same of a text that names a data set as a cell does; `where` is what the user wrote it for. */
export function subjectNamed(text: string, where: string, task?: string): Subject {
  const data = dataNamed(text, where)
  return ofData(typeof data === 'string' ? { dataset: data, options: {} } : data, task)
}

function ofTask(spec: TaskSpec, recipe: RecipeOptions): Subject {
  const task = resolveTask(spec)
  const data = spec.options.data as DataSpec | string
  const written = typeof data === 'string' ? { dataset: data, options: {} } : data
  const name = task.defined ? task.defined.base : (task.base ?? task.task)
  const found = name === undefined ? undefined : sorts.find(({ tasks }) => tasks.includes(name))
  return { sort: found && name !== 'regression' ? found : sortOf(written, undefined), data: written, task, recipe }
}

function ofData(data: DataSpec, name: string | undefined): Subject {
  const sort = sortOf(data, name)
  const task = name ?? (sort.tasks[0] as string)
  return { sort, data, task: { kind: 'task', task, options: { data } }, recipe: {} }
}

/** The first sort whose table has the data set with these options. Throws what the one that has its name throws. */
function sortOf(data: DataSpec, task: string | undefined): Sort {
  const names = sorts.flatMap(({ tasks }) => tasks)
  if (task !== undefined && !names.includes(task)) {
    throw new MixlabError('option', 'task', `unknown task '${task}'${suggest(task, names)}`)
  }
  if (data.defined && task === undefined) return sorts.at(-1) as Sort // its fields say more, once it is open
  const asked = task === undefined ? sorts : sorts.filter(({ tasks }) => tasks.includes(task))
  let fault: unknown = null
  for (const sort of asked) {
    try {
      sort.table.resolve(data)
      return sort
    } catch (error) {
      if (!(error instanceof MixlabError)) throw error
      if (fault === null || sort.table.names.includes(data.dataset)) fault = error
    }
  }
  const known = [...new Set(sorts.flatMap((sort) => sort.table.names))]
  if (known.includes(data.dataset) || asked.length === 1) throw fault
  throw new MixlabError('option', 'data', `unknown data set '${data.dataset}'${suggest(data.dataset, known)}`)
}

/** The task on the data that are open already, which are not read again. */
export function withData({ task }: Pick<Subject, 'task'>, data: DataSpec): TaskSpec {
  const kind = kindOf(task) ?? taskKind(task.task)
  return { ...task, options: kind.resolve({ ...task.options, data }) }
}
