import type { PlannedRun } from '../../records/run.ts'
import type { Crossing, Level } from '../design/crossing.ts'
import { combinations, variantAt } from './factors.ts'

/** What a factor changes of a run: its model alone, its recipe alone, its data alone, or several of them. */
export type Role = 'model' | 'recipe' | 'data' | 'mixed'

/** The parts of a spec by what they are of; `definitions` by what they define. */
const ROLES: Record<string, Role> = {
  model: 'model',
  train: 'recipe',
  'definitions.optimizer': 'recipe',
  'definitions.schedule': 'recipe',
  task: 'data',
  data: 'data',
  'definitions.task': 'data',
  'definitions.data': 'data',
}

/** What each factor changes, by the runs as they are planned: never by its name. */
export function rolesOf(
  crossing: Crossing,
  planned: readonly Pick<PlannedRun, 'variant' | 'spec'>[],
): Map<string, Role> {
  const parts = new Map<string, Map<string, string>>()
  for (const { variant, spec } of planned) if (!parts.has(variant)) parts.set(variant, partsOf(spec))
  return new Map(
    crossing.factors.map(({ name, levels: [first, ...others] }) => {
      const changed = new Set(
        combinations(crossing.factors, name).flatMap((rest) => {
          const at = (level: Level) => parts.get(variantAt(crossing, [...rest, [name, level]]) ?? '') ?? new Map()
          return others.flatMap((level) => differing(at(first as Level), at(level)))
        }),
      )
      const roles = new Set([...changed].map((part) => ROLES[part] ?? 'mixed'))
      const [role = 'mixed', ...more] = roles
      return [name, more.length > 0 ? 'mixed' : role]
    }),
  )
}

/** A spec but for its seed, in parts as text. */
function partsOf(spec: unknown): Map<string, string> {
  const { seed: _, definitions = {}, ...rest } = spec as Record<string, unknown>
  const own = Object.entries(definitions as object).map(([kind, code]) => [`definitions.${kind}`, code])
  return new Map([...Object.entries(rest), ...own].map(([name, part]) => [String(name), JSON.stringify(part) ?? '']))
}

function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((name) => a.get(name) !== b.get(name))
}
