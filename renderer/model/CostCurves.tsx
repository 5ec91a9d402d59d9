import { useMemo, useState } from 'react'
import { complexity } from '../../engine/charts/complexity.ts'
import type { CostSizes } from '../../engine/cost/formulas.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { Choice } from '../ui/Choice.tsx'

interface CostCurvesProps {
  /** What the model is called. */
  name: string
  sizes: CostSizes
  /** Multiply-adds of its blocks. */
  macs: number
}

const AXES = ['tokens', 'width', 'depth'] as const

/** What the blocks of other architectures would cost at the sizes of a model, by the formulas of their papers. */
export function CostCurves({ name, sizes, macs }: CostCurvesProps) {
  const [axis, setAxis] = useState<(typeof AXES)[number]>('tokens')
  const style = useFigureStyle()
  const { tokens, width, depth } = sizes
  const chart = useMemo(() => {
    const options = { at: { tokens, width, depth }, axis, counted: { name, macs } }
    return pageChart(style, (style) => complexity(options, style))
  }, [name, macs, tokens, width, depth, axis, style])
  return (
    <section className="cost-curves" aria-label={`cost of ${name} by formula`} data-testid="cost-curves">
      <div className="model-tools">
        <Choice label="cost by" options={AXES} value={axis} onChange={setAxis} />
        <span className="muted">{`around ${tokens} tokens, width ${width}, depth ${depth}`}</span>
      </div>
      <ChartView chart={chart} />
    </section>
  )
}
