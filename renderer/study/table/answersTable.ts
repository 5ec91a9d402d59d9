import type { TextTable } from '../../../engine/runs/table.ts'
import type { Answer } from '../../../engine/study/questions/answers.ts'
import { CLAIMS, differenceTexts, differenceUnit, seedRecord, twoDigits } from '../verdictText.ts'

/** The answers of a study to take away, one line for each part of a question. */
export function answersTable(answers: readonly Answer[]): TextTable {
  const looked = answers.some(({ findings }) => findings.some(({ looks }) => looks))
  const figures = looked
    ? ['median', '95% confidence sequence', 'p (at any time)', 'p (corrected)']
    : ['mean', '95% interval', 'p', 'p (Holm)']
  return {
    header: ['question', ...figures, 'effect', 'wins–ties–losses', 'claim'],
    numeric: [false, true, true, true, true, true, true, false],
    rows: answers.flatMap(({ title, exploratory, findings }) =>
      findings.map((finding) => {
        const { mean, interval } = differenceTexts(finding)
        return [
          `${title}: ${finding.name}${differenceUnit(finding.meaning)}`,
          mean ?? '–',
          interval ?? '–',
          twoDigits(finding.p),
          twoDigits(finding.adjusted),
          twoDigits(finding.effect),
          seedRecord(finding),
          exploratory ? `exploratory: ${exploratory}` : CLAIMS[finding.claim],
        ]
      }),
    ),
  }
}
