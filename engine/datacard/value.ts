import type { DataSpec } from '../data/types.ts'
import { isStudy } from '../study/compare.ts'
import type { TaskSpec } from '../tasks/types.ts'

/** Whether a value of a cell is a task. */
export function isTask(value: unknown): value is TaskSpec {
  const { kind, task, options } = (value ?? {}) as Partial<TaskSpec>
  return kind === 'task' && typeof task === 'string' && typeof options === 'object'
}

/** Whether it is a data set. */
export function isData(value: unknown): value is DataSpec {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'dataset,options') return false
  const { dataset, options } = value as DataSpec
  return typeof dataset === 'string' && typeof options === 'object' && options !== null
}

/** Whether it says something of data: a data set, a task or a study. */
export function isOfData(value: unknown): boolean {
  return isData(value) || isTask(value) || isStudy(value)
}
