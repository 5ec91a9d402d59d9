import type { ClassificationReport, MaskedTokensReport, RunReport } from '../../../engine/records/report.ts'
import { splitTitle } from '../../../engine/records/splits.ts'
import { table } from '../terminal/table.ts'

/** The confusion matrix is shown whole up to this number of classes. */
const MATRIX = 20
/** Lines of a list. */
const LISTED = 10

/** The report of a run as text, each split under its name. */
export function reportLines(report: RunReport): string[] {
  return Object.entries(report).flatMap(([split, part]) => [
    `report on ${splitTitle(split)}`,
    ...(part.kind === 'classification' ? classification(part) : maskedTokens(part)),
  ])
}

function classification({ classes, confusion, accuracy, wrong }: ClassificationReport): string[] {
  const name = (label: number) => `${label} ${classes[label]}`
  const worst = classes
    .flatMap((_, label) => {
      const share = accuracy[label] ?? null
      return share === null ? [] : [{ label, share, examples: confusion[label]?.reduce((sum, n) => sum + n, 0) ?? 0 }]
    })
    .sort((a, b) => a.share - b.share || a.label - b.label)
    .slice(0, LISTED)
    .map(({ label, share, examples }) => [name(label), (share * 100).toFixed(1), String(examples)])
  const mistakes = wrong
    .slice(0, LISTED)
    .map(({ index, label, predicted, probability }) => [
      String(index),
      name(label),
      name(predicted),
      probability.toFixed(3),
    ])
  return [
    ...(classes.length > MATRIX ? confusions(confusion, name) : matrix(confusion, name)),
    '',
    ...table(['worst classes', '% right', 'examples'], worst),
    '',
    ...(mistakes.length ? table(['example', 'is', 'taken for', 'probability'], mistakes) : ['no wrong examples']),
  ]
}

/** Rows are true classes, columns what they were taken for. */
function matrix(confusion: number[][], name: (label: number) => string): string[] {
  const rows = confusion.map((counts, label) => [name(label), ...counts.map((count) => (count ? String(count) : '.'))])
  return table(['is / taken for', ...confusion.map((_, label) => String(label))], rows)
}

/** The most frequent mistakes. */
function confusions(confusion: number[][], name: (label: number) => string): string[] {
  const pairs = confusion
    .flatMap((counts, label) => counts.map((count, predicted) => ({ count, label, predicted })))
    .filter(({ count, label, predicted }) => count > 0 && label !== predicted)
    .sort((a, b) => b.count - a.count || a.label - b.label || a.predicted - b.predicted)
    .slice(0, LISTED)
  const rows = pairs.map(({ count, label, predicted }) => [name(label), name(predicted), String(count)])
  return table(['is', 'taken for', 'times'], rows)
}

function maskedTokens({ texts }: MaskedTokensReport): string[] {
  return texts.flatMap(({ tokens, masked }) => [
    '',
    tokens.join(' '),
    ...masked.map(({ place, token, likely }) => {
      const said = likely.map((each) => `${each.token} ${each.probability.toFixed(3)}`)
      return `  ${place}: ${token}, said ${said.join(', ')}`
    }),
  ])
}
