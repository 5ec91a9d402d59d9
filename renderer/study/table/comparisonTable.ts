import type { Column } from '../../../engine/runs/column.ts'
import { cellText, columnTitle } from '../../../engine/runs/format.ts'
import type { TextTable } from '../../../engine/runs/table.ts'
import type { Comparison } from '../useComparison.ts'
import { differenceTexts, differenceUnit, seedRecord, twoDigits } from '../verdictText.ts'
import { type Chosen, spreadOf } from './values.ts'

/** What is compared, as a column of the table of runs. */
export function columnOf({ metric, meaning, choice }: Chosen): Column {
  return typeof choice === 'number'
    ? { kind: 'step', name: metric, step: choice, meaning }
    : { kind: 'metric', name: metric, value: choice, meaning }
}

/** The comparison to take away, one line per variant. */
export function comparisonTable(variants: string[], comparison: Omit<Comparison, 'soFar' | 'answers'>): TextTable {
  const { chosen, runs, baseline, verdicts } = comparison
  const column = columnOf(chosen)
  const looked = verdicts.some(({ looks }) => looks)
  const against = `${looked ? 'median ' : ''}difference to ${baseline}${differenceUnit(chosen.meaning)}`
  return {
    header: [
      'variant',
      `${columnTitle(column)}, mean ± sd (n)`,
      against,
      looked ? '95% confidence sequence' : '95% interval',
      looked ? 'p (at any time)' : 'p (Holm)',
      'effect',
      'wins–ties–losses',
    ],
    numeric: [false, true, true, true, true, true, true],
    rows: variants.map((variant) => {
      const verdict = verdicts.find((each) => each.variant === variant)
      const mean = cellText(column, spreadOf(runs, variant, chosen))
      if (!verdict) return [variant, mean, ...Array<string>(5).fill('–')]
      const { mean: difference, interval } = differenceTexts(verdict)
      const { adjusted, effect } = verdict
      return [
        variant,
        mean,
        difference ?? '–',
        interval ?? '–',
        twoDigits(adjusted),
        twoDigits(effect),
        seedRecord(verdict),
      ]
    }),
  }
}
