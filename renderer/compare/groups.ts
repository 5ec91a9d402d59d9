import { type MetricMeaning, meaningIn } from '../../engine/records/meaning.ts'
import type { StoredRunDetails } from '../../engine/records/run.ts'
import { selectionMetric } from '../../engine/records/splits.ts'
import { optionsOf } from '../../engine/runs/options.ts'
import { LOSS, PACE, STEP_TIME } from '../../engine/train/meanings.ts'

/** Runs that differ by their seed alone. */
export interface ComparedGroup {
  /** What the page calls it; no other group is called so. */
  name: string
  study: string
  variant: string
  /** By seed. */
  runs: [StoredRunDetails, ...StoredRunDetails[]]
}

/**
 * Runs by study, variant, configuration and code, in the order in which each first comes. Their names are what tells
 * them apart: the variant, the study before it, and else the first of their runs.
 */
export function groupsOf(runs: readonly StoredRunDetails[]): ComparedGroup[] {
  const groups = [...Map.groupBy(runs, keyOf).values()].map((own) => {
    const sorted = own.toSorted((a, b) => a.seed - b.seed || a.id - b.id) as ComparedGroup['runs']
    return { study: sorted[0].study, variant: sorted[0].variant, runs: sorted }
  })
  const several = new Set(groups.map(({ study }) => study)).size > 1
  const names = groups.map(({ study, variant }) => (several ? `${study} / ${variant}` : variant))
  return groups.map((group, index) => {
    const name = names[index] ?? ''
    const alone = names.indexOf(name) === names.lastIndexOf(name)
    return { name: alone ? name : `${name} #${Math.min(...group.runs.map(({ id }) => id))}`, ...group }
  })
}

function keyOf({ study, variant, spec, code }: StoredRunDetails): string {
  const options = Object.entries(configurationOf(spec)).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([study, variant, options, code])
}

/** The options of a run by path. */
export function configurationOf(spec: unknown): Record<string, string | number> {
  return optionsOf(spec as Record<string, unknown>)
}

/** Names of the metrics that any of the runs has: what is compared, by what they chose, losses, and the others, speeds last. */
export function metricsOf(runs: readonly Pick<StoredRunDetails, 'metrics'>[]): string[] {
  const names = [...new Set(runs.flatMap(({ metrics }) => Object.keys(metrics)))].sort()
  const compared = names.filter((name) => meaningIn(runs, name).compared).map(selectionMetric)
  const rankOf = (name: string) => (compared.includes(name) ? 0.5 : rank(name, meaningIn(runs, name)))
  const ranks = new Map(names.map((name) => [name, rankOf(name)]))
  return names.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0))
}

function rank(name: string, { compared, unit }: MetricMeaning): number {
  if (compared) return 0
  if (unit === STEP_TIME.unit || unit === PACE.unit) return 4
  if (unit !== LOSS.unit && !name.endsWith('/loss')) return 3
  return name.startsWith('train/') ? 2 : 1
}
