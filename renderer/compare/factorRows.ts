import type { FactorRow } from '../../engine/charts/factors/rows.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { type Crossing, crossingOf } from '../../engine/study/design/crossing.ts'
import type { Family } from './family.ts'
import type { ComparedGroup } from './groups.ts'

/** How groups of a study are crossed by its factors; null where they are not. */
export function groupCrossing(groups: readonly ComparedGroup[], family: Family): Crossing | null {
  const names = new Set(groups.map(({ name }) => name))
  return crossingOf(family.design.variants.filter(({ variant }) => names.has(variant)))
}

/** The runs of groups that are crossed, those that are finished with the last value of a metric. */
export function groupRows(groups: readonly ComparedGroup[], { levels }: Crossing, metric: string): FactorRow[] {
  return groups.flatMap(({ name, runs }) => {
    const own = levels.get(name)
    if (!own) return []
    return newest(runs).map(({ id, seed, status, metrics }) => {
      const value = status === 'done' ? (metrics[metric]?.last ?? null) : null
      return { levels: own, seed, run: id, value }
    })
  })
}

/** One run per seed: the newest that is finished, else the newest. */
function newest(runs: ComparedGroup['runs']): StoredRunDetails[] {
  const sorted = runs.toSorted((a, b) => Number(a.status === 'done') - Number(b.status === 'done') || a.id - b.id)
  return [...new Map(sorted.map((run) => [run.seed, run])).values()]
}
