import { duration } from '../../engine/study/duration.ts'
import type { VariantRow } from '../../engine/study/summary.ts'
import { ExportButton } from './ExportButton.tsx'
import { runCounts, spreadText } from './rowText.ts'
import { seriesToken } from './seriesToken.ts'
import type { StudyView } from './view.ts'

export interface VariantLineProps {
  row: VariantRow
  /** Place among the variants, which decides the colour. */
  index: number
  study: StudyView
  running: boolean
}

/** One variant of the comparison. */
export function VariantLine({ row, index, study, running }: VariantLineProps) {
  const runs = study.runs.filter((run) => run.variant === row.variant)
  const ms = runs.reduce((sum, run) => sum + run.ms, 0)
  return (
    <tr data-variant={row.variant}>
      <th scope="row">
        <span className="swatch" style={{ background: seriesToken(index) }} />
        {row.variant}
      </th>
      <td className="number" data-testid="mean">
        {spreadText(row)} <span className="muted">({row.n})</span>
      </td>
      <td className="number">{Math.max(0, ...runs.map((run) => run.step)) || '–'}</td>
      <td className="number">{ms ? duration(ms / 1000) : '–'}</td>
      <td>{runCounts(runs, running)}</td>
      <td>
        {runs.map((run) => (
          <ExportButton key={run.key} study={study.study} run={run} />
        ))}
      </td>
    </tr>
  )
}
