import { summarize } from '../../engine/study/summary.ts'
import { VariantLine } from './VariantLine.tsx'
import { type StudyView, toStored } from './view.ts'

export interface VariantTableProps {
  study: StudyView
  metric: string
  /** Whether waiting runs will be trained. */
  running: boolean
}

/** The comparison: one line per variant, over its complete runs. */
export function VariantTable({ study, metric, running }: VariantTableProps) {
  const stored = study.runs.map((run) => toStored(study, run))
  return (
    <table className="variants" data-testid="variants">
      <thead>
        <tr>
          <th scope="col">variant</th>
          <th scope="col" className="number">
            {metric}, mean ± sd (n)
          </th>
          <th scope="col" className="number">
            last step
          </th>
          <th scope="col" className="number">
            time
          </th>
          <th scope="col">status</th>
          <th scope="col">weights of seed</th>
        </tr>
      </thead>
      <tbody>
        {summarize(metric, study.variants, stored).map((row, index) => (
          <VariantLine key={row.variant} row={row} index={index} study={study} running={running} />
        ))}
      </tbody>
    </table>
  )
}
