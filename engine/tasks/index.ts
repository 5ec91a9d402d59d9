import type { ImageRecipe } from '../data/augment/options.ts'
import { MixlabError, suggest } from '../errors.ts'
import { imageKind } from './image.ts'
import { mlmKind } from './mlm.ts'
import { pairKind } from './pair.ts'
import { pointsKind } from './points.ts'
import { sequenceKind } from './sequence.ts'
import { spanKind } from './span.ts'
import type { TaskKind, TaskSpec } from './types.ts'

// The tasks. A new one is one file and one line here.
const kinds: Record<string, TaskKind> = {
  image: imageKind,
  points: pointsKind,
  mlm: mlmKind,
  sequence: sequenceKind,
  pair: pairKind,
  span: spanKind,
}

/** The task called `name`. Throws for an unknown one. */
export function taskKind(name: string): TaskKind {
  const kind = kinds[name]
  if (!kind) throw new MixlabError('option', 'task', `unknown task '${name}'${suggest(name, Object.keys(kinds))}`)
  return kind
}

/** The same task with every option checked and filled in. */
export function resolveTask({ task, options }: TaskSpec): TaskSpec {
  return { kind: 'task', task, options: taskKind(task).resolve(options) }
}

/** Throws MixlabError `option` where a recipe has an option that the task cannot use. */
export function checkRecipe({ task }: TaskSpec, recipe: ImageRecipe, path: string): void {
  const usedBy = (option: keyof ImageRecipe) =>
    Object.keys(kinds).filter((name) => kinds[name]?.recipe?.includes(option))
  for (const option of ['augment', 'labelSmoothing', 'mixup', 'cutmix'] as const) {
    if (!recipe[option] || usedBy(option).includes(task)) continue
    throw new MixlabError('option', `${path}.${option}`, `task '${task}' has no use for it, ${usedBy(option)} has`)
  }
}

export { image } from './image.ts'
export { mlm } from './mlm.ts'
export { pair } from './pair.ts'
export { points } from './points.ts'
export { sequence } from './sequence.ts'
export { span } from './span.ts'
export type { TaskSpec } from './types.ts'
