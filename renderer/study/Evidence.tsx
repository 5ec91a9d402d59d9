import { useMemo } from 'react'
import { type EvidenceRow, evidenceBySeed } from '../../engine/charts/evidence.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import type { Comparison } from './useComparison.ts'

interface EvidenceProps {
  comparison: Pick<Comparison, 'verdicts' | 'answers'>
  /** The last seed of the plan. */
  upTo: number
}

/** The evidence for each claim of a study that is looked at after every seed. */
export function Evidence({ comparison: { verdicts, answers }, upTo }: EvidenceProps) {
  const style = useFigureStyle()
  const chart = useMemo(() => {
    const judged = [
      ...verdicts.map(({ variant, baseline, looks }) => ({ name: `${variant} against ${baseline}`, looks })),
      ...answers.flatMap(({ findings }) => findings),
    ]
    const rows = judged.flatMap(({ name, looks }): EvidenceRow[] => (looks ? [{ name, ...looks }] : []))
    return pageChart(style, (style) => evidenceBySeed(rows, upTo, style))
  }, [verdicts, answers, upTo, style])
  return (
    <details className="evidence" data-testid="evidence">
      <summary>evidence by seed</summary>
      <ChartView chart={chart} />
    </details>
  )
}
