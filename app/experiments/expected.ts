import { parseNotebook, printNotebook } from '../../engine/notebook/index.ts'
import { NUMERICS } from '../../engine/records/numerics.ts'
import { digitsFor, type Verdict } from '../../engine/study/statistics/index.ts'
import type { VariantRow } from '../../engine/study/summary.ts'

/** The cell of a ready notebook that says what comes out. */
const EXPECTED = 'expected'

/** What `mixlab run --json` prints of a study, as far as it is shown. */
export interface StudyResult {
  study: string
  metric: string
  rows: VariantRow[]
  verdicts: Pick<Verdict, 'variant' | 'baseline' | 'sentence'>[]
}

/** The text of a ready notebook with these results in its cell `expected`, which stands after the first one. */
export function withExpected(text: string, results: readonly StudyResult[]): string {
  const expected = { id: EXPECTED, kind: 'markdown' as const, source: expectedText(results) }
  const [first, ...others] = parseNotebook(text).filter(({ id }) => id !== EXPECTED)
  return printNotebook([...(first ? [first] : []), expected, ...others], text)
}

/** The numerics with which a ready notebook got the results in its cell `expected`; null where it has none. */
export function expectedNumerics(text: string): number | null {
  const cell = parseNotebook(text).find(({ id }) => id === EXPECTED)
  const found = cell?.source.match(/^Expected, on simd with numerics (\d+):$/m)
  return found ? Number(found[1]) : null
}

/** The results as Markdown: what they were trained with, and a table for each study. */
function expectedText(results: readonly StudyResult[]): string {
  const tables = results.map(({ study, metric, rows, verdicts }) => {
    const lines = rows.map(({ variant, n, mean, sd }) => {
      const verdict = verdicts.find((each) => each.variant === variant)
      const against = verdict ? `against ${verdict.baseline}: ${verdict.sentence}` : ''
      return `| ${variant} | ${valueText(mean, sd)} | ${n} | ${against} |`
    })
    return [`| ${study} | ${metric}, mean ± sd | seeds | |`, '| --- | --- | --- | --- |', ...lines].join('\n')
  })
  return [`Expected, on simd with numerics ${NUMERICS}:`, ...tables].join('\n\n')
}

function valueText(mean: number | null, sd: number | null): string {
  if (mean === null) return '–'
  const digits = Math.max(2, digitsFor(sd ?? 0))
  return sd === null ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${sd.toFixed(digits)}`
}
