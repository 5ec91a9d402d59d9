import type { MetricMeaning } from '../../engine/records/meaning.ts'
import type { Column } from '../../engine/runs/column.ts'
import { cellText } from '../../engine/runs/format.ts'
import { groupValue } from '../../engine/runs/group.ts'
import { type Verdict, verdicts } from '../../engine/study/statistics/index.ts'
import type { Family } from './family.ts'
import type { ComparedGroup } from './groups.ts'

/** The column of the last value of a metric. */
export function lastOf(metric: string, meaning: MetricMeaning | undefined): Column {
  return { kind: 'metric', name: metric, value: 'last', meaning }
}

/** The last values of a metric over the finished runs of a group: `93.12 ± 0.41 (6)`. */
export function finalText({ runs }: ComparedGroup, metric: string, meaning: MetricMeaning): string {
  const column = lastOf(metric, meaning)
  const values = runs.map(({ status, metrics }) => ({ status, value: metrics[metric]?.last ?? null }))
  return cellText(column, groupValue(column, values))
}

/**
 * How each group compares to one of them, where they have seeds in common; null for that one. What was planned together is
 * corrected for all of its family; else the comparison is exploratory.
 */
export function groupVerdicts(
  groups: readonly ComparedGroup[],
  metric: string,
  baseline: string,
  family: Family | null,
): (Verdict | null)[] {
  const variants = groups.map(({ name }) => name)
  const shown = groups.flatMap(({ name, runs }) => runs.map((run) => ({ ...run, variant: name })))
  const others = family?.runs.filter(({ variant }) => !variants.includes(variant)) ?? []
  const runs = [...shown, ...others]
  const found = verdicts({ metric, runs, variants, baseline, design: family?.design, exploratory: !family })
  return groups.map(({ name }) => found.find(({ variant }) => variant === name) ?? null)
}
