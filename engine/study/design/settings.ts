import type { FactorValues } from '../../records/design.ts'
import type { ResolvedVariant } from './resolve.ts'

/**
 * What makes each variant what it is, in the order of the variants: its factors, where it has some, else the values of
 * what any variant sets itself and not all have alike, e.g. `batch: 128`.
 */
export function settingsOf(variants: readonly ResolvedVariant[]): FactorValues[] {
  const intended = new Set(variants.flatMap(({ intended }) => intended))
  const all = variants.map((variant) => flattened(partsOf(variant), intended))
  const paths = [...new Set(all.flatMap((each) => Object.keys(each)))]
  const differing = paths.filter((path) => new Set(all.map((each) => each[path])).size > 1)
  const names = new Map(differing.map((path) => [path, nameIn(differing, path)]))
  return variants.map(({ factors }, place) => {
    if (factors) return factors
    return Object.fromEntries(differing.map((path) => [names.get(path) ?? path, all[place]?.[path] ?? 'none']))
  })
}

function partsOf({ size, recipe, task, from }: ResolvedVariant): Record<string, unknown> {
  return { model: size, train: recipe, task: { [task.task]: task.options }, ...(from && { from: from.name }) }
}

/** The plain values below `parts` by path, of what is intended to differ. */
function flattened(parts: Record<string, unknown>, intended: ReadonlySet<string>): FactorValues {
  const found: FactorValues = {}
  const visit = (value: unknown, path: string) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, item] of Object.entries(value)) visit(item, path ? `${path}.${name}` : name)
    } else if (value !== undefined && isIntended(path, intended)) found[path] = plain(value)
  }
  visit(parts, '')
  return found
}

/** Whether a path of a spec is among the intended ones, or below one of them. */
export function isIntended(path: string, intended: ReadonlySet<string>): boolean {
  const names = path.split('.')
  return names.some((_, count) => intended.has(names.slice(0, count + 1).join('.')))
}

function plain(value: unknown): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
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
