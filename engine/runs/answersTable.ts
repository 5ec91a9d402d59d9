import type { Answer } from '../study/questions/answers.ts'
import { claimText, differenceTexts, differenceUnit, seedRecord, twoDigits } from '../study/statistics/sentences.ts'
import type { TextTable } from './table.ts'

/** The answers of a study to take away, one line for each part of a question. */
export function answersTable(answers: readonly Answer[]): TextTable {
  const looked = answers.some(({ findings }) => findings.some(({ looks }) => looks))
  const figures = looked
    ? ['median', '95% confidence sequence', 'p (at any time)', 'p (corrected)']
    : ['mean', '95% CI', 'p', 'p (Holm)']
  return {
    header: ['question', ...figures, 'effect', 'wins–ties–losses', 'claim'],
    numeric: [false, true, true, true, true, true, true, false],
    rows: answers.flatMap(({ exploratory, findings }) =>
      findings.map((finding) => {
        const { mean, interval } = differenceTexts(finding)
        return [
          `${finding.name}${differenceUnit(finding.meaning)}`,
          mean ?? '–',
          interval ?? '–',
          twoDigits(finding.p),
          twoDigits(finding.adjusted),
          twoDigits(finding.effect),
          seedRecord(finding),
          exploratory ? 'exploratory' : finding.interim ? 'interim' : claimText(finding),
        ]
      }),
    ),
  }
}
