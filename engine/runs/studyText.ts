import type { Answer } from '../study/questions/answers.ts'
import { leadText } from '../study/questions/lead.ts'
import type { Verdict } from '../study/statistics/index.ts'
import { answersTable } from './answersTable.ts'
import { latexText, markdownText, type TextTable, toLatex, toMarkdown } from './table.ts'

const FORMATS = {
  latex: { table: toLatex, paragraph: latexText },
  markdown: { table: toMarkdown, paragraph: markdownText },
}

/** What a study came to. */
export interface StudySaid {
  answers: readonly Answer[]
  verdicts: readonly Verdict[]
}

/** A study to take away: what it comes to, what it asks, if it does, the table of its variants, and a sentence on each. */
export function studyText(format: keyof typeof FORMATS, { answers, verdicts }: StudySaid, variants: TextTable): string {
  const { table, paragraph } = FORMATS[format]
  const lead = leadText(answers)
  const said = [...answers.flatMap(({ findings }) => findings), ...verdicts]
  const parts = [
    ...(lead ? [`${paragraph(lead)}\n`] : []),
    ...(answers.length > 0 ? [table(answersTable(answers))] : []),
    table(variants),
    ...said.map(({ sentence }) => `${paragraph(sentence)}\n`),
  ]
  return parts.join('\n')
}
