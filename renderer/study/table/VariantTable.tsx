import { columnTitle } from '../../../engine/runs/format.ts'
import type { StudyView } from '../../protocol/study.ts'
import { Head } from '../../ui/Head.tsx'
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
          <Head>variant</Head>
          <Head number>
            {columnTitle(columnOf(chosen))}
            <span className="sub">mean ± sd (n)</span>
          </Head>
          <Head number>
            against {baseline}
            {differenceUnit(chosen.meaning)}
            <span className="sub">mean, 95% interval</span>
          </Head>
          <Head>seeds</Head>
          <Head number>time</Head>
          <Head>status</Head>
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
