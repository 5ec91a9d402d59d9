import type { Column } from '../../../engine/runs/column.ts'
import { cellText, columnTitle } from '../../../engine/runs/format.ts'
import type { TextTable } from '../../../engine/runs/table.ts'
import { verdictTable } from '../../../engine/runs/verdictTable.ts'
import type { Comparison } from '../useComparison.ts'
import { type Chosen, spreadOf } from './values.ts'

/** What is compared, as a column of the table of runs. */
export function columnOf({ metric, meaning, choice }: Chosen): Column {
  return typeof choice === 'number'
    ? { kind: 'step', name: metric, step: choice, meaning }
    : { kind: 'metric', name: metric, value: choice, meaning }
}

/** The comparison to take away, one line per variant. */
export function comparisonTable(
  variants: string[],
  comparison: Omit<Comparison, 'soFar' | 'answers' | 'strips'>,
): TextTable {
  const { chosen, runs, baseline, verdicts } = comparison
  const column = columnOf(chosen)
  return verdictTable({
    variants: variants.map((variant) => ({ variant, mean: cellText(column, spreadOf(runs, variant, chosen)) })),
    title: `${columnTitle(column)}, mean ± sd (n)`,
    meaning: chosen.meaning,
    baseline,
    verdicts,
  })
}
