import { isDefinition } from '../../definitions.ts'
import type { FactorValues } from '../../records/design.ts'
import { type TaskSpec, withoutDefinitions } from '../../tasks/index.ts'
import type { VariantParts } from '../compare.ts'
import { startText } from '../start/weightsOf.ts'
import type { ResolvedVariant } from './resolve.ts'

/**
 * What makes each variant what it is, in the order of the variants: its factors, where it has some, else the values of
 * what any variant sets itself and not all have alike, e.g. `batch: 128`.
 */
export function settingsOf(variants: readonly ResolvedVariant[]): FactorValues[] {
  const hasOwn = variants.some(({ task }) => task.defined)
  const written = [...new Set(variants.flatMap(({ parts }) => pathsIn(writtenIn(parts, hasOwn))))]
  const all = variants.map((variant) => {
    const resolved = resolvedParts(variant)
    return Object.fromEntries(written.map((path) => [path, plain(valueAt(resolved, path))]))
  })
  const differing = written.filter((path) => new Set(all.map((each) => each[path])).size > 1)
  const names = new Map(differing.map((path) => [path, nameIn(differing, path)]))
  return variants.map(({ parts }, place) => {
    if (parts.factors) return parts.factors
    return Object.fromEntries(differing.map((path) => [names.get(path) ?? path, all[place]?.[path] ?? 'none']))
  })
}

/** What a variant sets itself, without its block: a function has no value to show. */
function writtenIn({ model, train, task, from }: VariantParts, hasOwn: boolean): Record<string, unknown> {
  const tasks = task && (hasOwn ? { own: namedTask(task) } : { task: { [task.task]: task.options } })
  return { model, train, ...tasks, from: startText(from) }
}

/** A task by its name, with options that others may have, too: in a study with tasks of cells. */
function namedTask({ task, options }: TaskSpec): Record<string, unknown> {
  return { task, options: withoutDefinitions({ kind: 'task', task, options }).options }
}

function resolvedParts({ size, recipe, task, from }: ResolvedVariant): Record<string, unknown> {
  return {
    ...{ model: size, train: recipe, from: startText(from) },
    ...{ task: { [task.task]: task.options }, own: namedTask(task) },
  }
}

/** The paths of all plain values, lists and definitions in a value. */
function pathsIn(value: unknown, path = ''): string[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isDefinition(value)) return [path]
  const shown = Object.entries(value).filter(([name]) => name !== 'defined') // beside its name
  return shown.flatMap(([name, item]) => pathsIn(item, path ? `${path}.${name}` : name))
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], value)
}

function plain(value: unknown): string | number | boolean {
  if (value === undefined) return 'none'
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value) && value.some(isDefinition)) return value.map(plain).join(', ')
  return isDefinition(value) ? value.name : JSON.stringify(value)
}

/** The last part of a path, or as many as no other path ends in. */
function nameIn(paths: string[], path: string): string {
  const names = path.split('.').filter((name) => name !== 'options')
  for (let count = 1; count < names.length; count++) {
    const end = names.slice(-count).join('.')
    if (paths.filter((other) => other === end || other.endsWith(`.${end}`)).length === 1) return end
  }
  return names.join('.')
}
