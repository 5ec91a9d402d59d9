import type { ClassificationReport } from '../records/report.ts'
import { splitTitle } from '../records/splits.ts'
import type { ReportStudy } from './gather.ts'
import { type Html, html } from './html.ts'

/** Classes of which a matrix is still legible. */
const MATRIX = 20

/** What each class was taken for at the last evaluation, for a run of each variant; null where nobody tells. */
export function confusionHtml(evaluations: ReportStudy['evaluations']): Html | null {
  const matrices = evaluations.flatMap(({ run: { variant, seed }, report }) =>
    Object.entries(report).flatMap(([split, each]) =>
      each.kind === 'classification' && each.classes.length <= MATRIX
        ? [matrixHtml(`${variant}, seed ${seed}, ${splitTitle(split)}`, each)]
        : [],
    ),
  )
  return matrices.length > 0 ? html`<details><summary>Confusion matrices</summary>${matrices}</details>` : null
}

/** One row a class; a cell is the darker, the larger its share of the row. */
function matrixHtml(name: string, { classes, confusion, accuracy }: ClassificationReport): Html {
  const rows = classes.map((label, row) => {
    const counts = confusion[row] ?? []
    const all = Math.max(
      1,
      counts.reduce((sum, count) => sum + count, 0),
    )
    const cells = classes.map((_, column) => {
      const count = counts[column] ?? 0
      return html`<td class="number share" style="--share: ${Math.round((50 * count) / all)}%">${count || '·'}</td>`
    })
    const share = accuracy[row] ?? null
    return html`<tr><th scope="row">${label}</th>${cells}<td class="number">${share === null ? '–' : `${(share * 100).toFixed(1)} %`}</td></tr>`
  })
  const heads = [...classes, 'right'].map((label) => html`<th scope="col" class="number">${label}</th>`)
  return html`<div class="scroll"><table><caption>${name}</caption><thead><tr><th scope="col">is / taken for</th>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>`
}
