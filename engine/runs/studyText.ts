import type { Answer } from '../study/questions/answers.ts'
import { leadText } from '../study/questions/lead.ts'
import { answersTable, exploratoryTexts } from './answersTable.ts'
import { latexText, markdownText, type TextTable, toLatex, toMarkdown } from './table.ts'

const FORMATS = {
  latex: { table: toLatex, paragraph: latexText },
  markdown: { table: toMarkdown, paragraph: markdownText },
}

/** A study to take away: what it comes to, what it asks, if it does, and the table of its variants. */
export function studyText(format: keyof typeof FORMATS, answers: readonly Answer[], variants: TextTable): string {
  const { table, paragraph } = FORMATS[format]
  const lead = leadText(answers)
  const parts = [
    ...(lead ? [`${paragraph(lead)}\n`] : []),
    ...(answers.length > 0 ? [table(answersTable(answers))] : []),
    ...exploratoryTexts(answers).map((text) => `${paragraph(text)}\n`),
    table(variants),
  ]
  return parts.join('\n')
}
