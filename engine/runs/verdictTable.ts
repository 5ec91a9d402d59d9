import type { MetricMeaning } from '../records/meaning.ts'
import type { Verdict } from '../study/statistics/index.ts'
import { differenceTexts, differenceUnit, seedRecord, twoDigits } from '../study/statistics/sentences.ts'
import type { TextTable } from './table.ts'

/** The variants of a study, each with its mean as text and, where it has verdicts, how it compares to the baseline. */
export function verdictTable(compared: {
  variants: readonly { variant: string; mean: string }[]
  /** What the means are of, e.g. `test/accuracy, %, mean ± sd (n)`. */
  title: string
  meaning: MetricMeaning
  baseline: string
  verdicts: readonly Verdict[]
}): TextTable {
  const { variants, title, meaning, baseline, verdicts } = compared
  const means = variants.map(({ variant, mean }) => [variant, mean])
  if (verdicts.length === 0) return { header: ['variant', title], numeric: [false, true], rows: means }
  const looked = verdicts.some(({ looks }) => looks)
  return {
    header: [
      'variant',
      title,
      `${looked ? 'median ' : ''}difference to ${baseline}${differenceUnit(meaning)}`,
      looked ? '95% confidence sequence' : '95% CI',
      looked ? 'p (at any time)' : 'p (Holm)',
      'effect',
      'wins–ties–losses',
    ],
    numeric: [false, true, true, true, true, true, true],
    rows: means.map((row) => {
      const verdict = verdicts.find(({ variant }) => variant === row[0])
      if (!verdict) return [...row, ...Array<string>(5).fill('–')]
      const { mean, interval } = differenceTexts(verdict)
      const { adjusted, effect } = verdict
      return [...row, mean ?? '–', interval ?? '–', twoDigits(adjusted), twoDigits(effect), seedRecord(verdict)]
    }),
  }
}
