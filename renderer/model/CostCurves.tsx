import { useMemo, useState } from 'react'
import type { MeasuredSteps } from '../../engine/bench/stepTimes.ts'
import { complexity } from '../../engine/charts/complexity.ts'
import { type StepTimeRow, stepTimes } from '../../engine/charts/stepTimes.ts'
import type { CostSizes } from '../../engine/cost/formulas.ts'
import { messageOf } from '../../engine/errors.ts'
import { ChartView } from '../charts/ChartView.tsx'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { useAnswer } from '../host/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { Choice } from '../ui/Choice.tsx'
import { measureSteps } from './measure.ts'

interface CostCurvesProps {
  /** What the model is called. */
  name: string
  sizes: CostSizes
  /** Multiply-adds of its blocks. */
  macs: number
  /** Reads how long steps of stored runs took; `key` says when they are others. */
  stored: { key: string; read(): Promise<StepTimeRow[]> }
}

const AXES = ['tokens', 'width', 'depth'] as const
type Axis = (typeof AXES)[number]

/** What is measured of an axis; null while it is. */
type Measured = { axis: Axis; found: MeasuredSteps | null; error?: string }

/** What the blocks of other architectures would cost at the sizes of a model, by the formulas of their papers, and by the clock. */
export function CostCurves({ name, sizes, macs, stored }: CostCurvesProps) {
  const [axis, setAxis] = useState<Axis>('tokens')
  const [measured, setMeasured] = useState<Measured | null>(null)
  const style = useFigureStyle()
  const kept = useAnswer(stored.key, stored.read)
  const { tokens, width, depth } = sizes
  const chart = useMemo(() => {
    const options = { at: { tokens, width, depth }, axis, counted: { name, macs } }
    return pageChart(style, (style) => complexity(options, style))
  }, [name, macs, tokens, width, depth, axis, style])
  const found = measured?.axis === axis ? measured.found : null
  const rows = useMemo(() => [...(found?.rows ?? []), ...(kept.value ?? [])], [found, kept.value])
  const times = useMemo(() => {
    if (rows.length === 0) return null
    return pageChart(style, (style) => stepTimes(rows, { at: { tokens, width, depth }, axis }, style))
  }, [rows, tokens, width, depth, axis, style])
  const measuring = measured !== null && measured.found === null && !measured.error
  const measure = async () => {
    setMeasured({ axis, found: null })
    try {
      setMeasured({ axis, found: await measureSteps(sizes, axis, kept.value?.find(({ batch }) => batch > 0)?.batch) })
    } catch (error) {
      setMeasured({ axis, found: null, error: messageOf(error) })
    }
  }
  return (
    <section className="cost-curves" aria-label={`cost of ${name} by formula`} data-testid="cost-curves">
      <div className="model-tools">
        <Choice label="cost by" options={AXES} value={axis} onChange={setAxis} />
        <span className="muted">{`around ${tokens} tokens, width ${width}, depth ${depth}`}</span>
        <Button
          look="small"
          disabled={measuring}
          title="Time training steps of these blocks on the backend of the kernel, for ten seconds"
          onClick={() => void measure()}
          testId="measure-steps"
        >
          {measuring ? 'Measures…' : 'Measure steps'}
        </Button>
      </div>
      <ChartView chart={chart} />
      {[kept.error, measured?.error].map(
        (error) =>
          error && (
            <p key={error} className="bad" role="alert">
              {`Steps were not measured: ${error}`}
            </p>
          ),
      )}
      <div data-testid="step-times" aria-busy={measuring}>
        {times ? (
          <ChartView chart={times} />
        ) : (
          <p className="muted">No finished run of these models is stored; Measure steps times some sizes here.</p>
        )}
      </div>
      {found && found.left.length > 0 && (
        <p className="muted">{`Not measured, for want of time where nothing else is said: ${found.left.join('; ')}.`}</p>
      )}
    </section>
  )
}
