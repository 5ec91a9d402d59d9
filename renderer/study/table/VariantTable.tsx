import { columnTitle } from '../../../engine/runs/format.ts'
import type { StudyView } from '../../protocol/study.ts'
import type { Comparison } from '../useComparison.ts'
import { VerdictLine } from '../VerdictLine.tsx'
import { differenceUnit } from '../verdictText.ts'
import { columnOf } from './comparisonTable.ts'
import { VariantLine } from './VariantLine.tsx'

interface VariantTableProps {
  study: StudyView
  comparison: Comparison
  /** Whether waiting runs will be trained. */
  running: boolean
  onPin(variant: string): void
}

/** The comparison: per variant its complete runs, and what they show against the baseline. */
export function VariantTable({ study, comparison, running, onPin }: VariantTableProps) {
  const { chosen, baseline, verdicts } = comparison
  return (
    <table className="variants" data-testid="variants">
      <thead>
        <tr>
          <th scope="col">variant</th>
          <th scope="col" className="number">
            {columnTitle(columnOf(chosen))}
            <span className="sub">mean ± sd (n)</span>
          </th>
          <th scope="col" className="number">
            against {baseline}
            {differenceUnit(chosen.meaning)}
            <span className="sub">mean, 95% interval</span>
          </th>
          <th scope="col">seeds</th>
          <th scope="col" className="number">
            time
          </th>
          <th scope="col">status</th>
        </tr>
      </thead>
      {study.variants.map((variant, index) => {
        const verdict = verdicts.find((each) => each.variant === variant)
        return (
          <tbody key={variant} data-variant={variant}>
            <VariantLine
              {...{ variant, index, study, comparison, running }}
              verdict={verdict}
              onPin={() => onPin(variant)}
            />
            <VerdictLine {...{ variant, study, comparison }} verdict={verdict} />
          </tbody>
        )
      })}
    </table>
  )
}
