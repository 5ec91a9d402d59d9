import { MixlabError, suggest } from '../errors.ts'
import { imageKind } from './image.ts'
import type { TaskKind, TaskSpec } from './types.ts'

// The tasks. A new one is one file and one line here.
const kinds: Record<string, TaskKind> = {
  image: imageKind,
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

export { image } from './image.ts'
export type { TaskSpec } from './types.ts'
