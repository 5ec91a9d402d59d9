import type { MetricMeaning } from '../../engine/records/meaning.ts'
import type { Column } from '../../engine/runs/column.ts'
import { cellText } from '../../engine/runs/format.ts'
import { groupValue } from '../../engine/runs/group.ts'
import { type Verdict, verdicts } from '../../engine/study/statistics/index.ts'
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

/** How each group compares to one of them, where they have seeds in common; null for that one. */
export function groupVerdicts(groups: readonly ComparedGroup[], metric: string, baseline: string): (Verdict | null)[] {
  const runs = groups.flatMap(({ name, runs }) => runs.map((run) => ({ ...run, variant: name })))
  const found = verdicts({ metric, runs, variants: groups.map(({ name }) => name), baseline })
  return groups.map(({ name }) => found.find(({ variant }) => variant === name) ?? null)
}
