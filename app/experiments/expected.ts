import { foundText, planText, type Results } from '../../engine/claims/index.ts'
import { parseNotebook, printNotebook } from '../../engine/notebook/index.ts'
import { digitsFor } from '../../engine/study/statistics/index.ts'

/** The cell of a ready notebook that says what comes out. */
const EXPECTED = 'expected'

/** The text of a ready notebook with these results in its cell `expected`, which stands after the first one. */
export function withExpected(text: string, results: Results): string {
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

/** The results as Markdown: what they were trained with, what became of the claim, and a table for each study. */
function expectedText({ claim, studies, backend, numerics }: Results): string {
  const head = `Expected, on ${backend} with numerics ${numerics}:`
  return [head, ...(claim ? [claimTable(claim)] : []), ...studies.map(studyTable)].join('\n\n')
}

function claimTable({ parts }: NonNullable<Results['claim']>): string {
  const lines = parts.map((part) => {
    const { study, of, figures, verdict } = part
    return `| ${study}: ${of} | ${figures} | ${foundText(part)} | **${verdict}** | ${planText(part)} |`
  })
  return ['| asked | the paper | here | verdict | plan |', '| --- | --- | --- | --- | --- |', ...lines].join('\n')
}

function studyTable({ study, metric, rows, verdicts, answers = [] }: Results['studies'][number]): string {
  const lines = rows.map(({ variant, n, mean, sd }) => {
    const { sentence = '' } = verdicts.find((each) => each.variant === variant) ?? {}
    return `| ${variant} | ${valueText(mean, sd)} | ${n} | ${sentence} |`
  })
  const table = [`| ${study} | ${metric}, mean ± sd | seeds | |`, '| --- | --- | --- | --- |', ...lines].join('\n')
  return answers.length === 0 ? table : `${table}\n\n${answers.map((each) => `- ${each}`).join('\n')}`
}

/** Numbers that spread less than this share of their mean are the same. */
const ROUNDING = 1e-9

function valueText(mean: number | null, sd: number | null): string {
  if (mean === null) return '–'
  const shown = sd !== null && sd > ROUNDING * Math.abs(mean) ? sd : 0
  const digits = Math.max(2, digitsFor(shown))
  return sd === null ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${shown.toFixed(digits)}`
}
