import { type ImageRecipe, isOnlyOwn } from '../data/augment/options.ts'
import type { DataSpec } from '../data/types.ts'
import { MixlabError, suggest } from '../errors.ts'
import { clmKind } from './clm.ts'
import { forecastKind } from './forecast.ts'
import { imageKind } from './image.ts'
import { mlmKind } from './mlm.ts'
import { pairKind } from './pair.ts'
import { pointsKind } from './points.ts'
import { regressionKind } from './regression.ts'
import { segmentKind } from './segment.ts'
import { sequenceKind } from './sequence.ts'
import { spanKind } from './span.ts'
import type { TaskKind, TaskSpec } from './types.ts'

// The built-in tasks. A new one is one file and one line here.
const kinds: Record<string, TaskKind> = {
  image: imageKind,
  points: pointsKind,
  mlm: mlmKind,
  clm: clmKind,
  sequence: sequenceKind,
  pair: pairKind,
  span: spanKind,
  segment: segmentKind,
  forecast: forecastKind,
  regression: regressionKind,
}

/** The task called `name`. Throws for an unknown one. */
export function taskKind(name: string): TaskKind {
  const kind = kinds[name]
  if (!kind) throw new MixlabError('option', 'task', `unknown task '${name}'${suggest(name, Object.keys(kinds))}`)
  return kind
}

export const taskNames = Object.keys(kinds)

/** The entry of a task: that of the cell that defines it, or the one in the table. Throws for an unknown one. */
export function kindOf({ task, defined }: Pick<TaskSpec, 'task' | 'defined'>): TaskKind {
  return defined ?? taskKind(task)
}

/** The same task with every option checked and filled in. */
export function resolveTask(spec: TaskSpec): TaskSpec {
  const { task, options, defined } = spec
  return { kind: 'task', task, options: kindOf(spec).resolve(options), ...(defined && { defined }) }
}

/** A task as plain data: without what cells define of it, whose functions no spec can hold. */
export function withoutDefinitions({ task, options, defined }: TaskSpec): TaskSpec {
  const { defined: _, ...data } = (options.data ?? {}) as DataSpec
  const base = defined?.base !== undefined && { base: defined.base }
  return { kind: 'task', task, options: options.data === undefined ? options : { ...options, data }, ...base }
}

/** Throws MixlabError `option` where a recipe has an option that the task cannot use. */
export function checkRecipe(spec: TaskSpec, recipe: ImageRecipe, path: string): void {
  for (const option of ['augment', 'labelSmoothing', 'mixup', 'cutmix'] as const) {
    if (!recipe[option] || kindOf(spec).recipe?.includes(option)) continue
    if (option === 'augment' && recipe.augment && isOnlyOwn(recipe.augment)) continue // is for data of any sort
    const usedBy = taskNames.filter((name) => kinds[name]?.recipe?.includes(option))
    throw new MixlabError('option', `${path}.${option}`, `task '${spec.task}' has no use for it, ${usedBy} has`)
  }
}
