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

/** What the blocks of other architectures would cost at the sizes of a model, by the formulas of their papers, and by the clock. */
export function CostCurves({ name, sizes, macs, stored }: CostCurvesProps) {
  const [axis, setAxis] = useState<Axis>('tokens')
  const [measured, setMeasured] = useState<Partial<Record<Axis, MeasuredSteps>>>({})
  const [measuring, setMeasuring] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const style = useFigureStyle()
  const kept = useAnswer(stored.key, stored.read)
  const { tokens, width, depth } = sizes
  const chart = useMemo(() => {
    const options = { at: { tokens, width, depth }, axis, counted: { name, macs } }
    return pageChart(style, (style) => complexity(options, style))
  }, [name, macs, tokens, width, depth, axis, style])
  const found = measured[axis]
  const rows = useMemo(() => [...(found?.rows ?? []), ...(kept.value ?? [])], [found, kept.value])
  const times = useMemo(() => {
    if (rows.length === 0) return null
    return pageChart(style, (style) => stepTimes(rows, { at: { tokens, width, depth }, axis }, style))
  }, [rows, tokens, width, depth, axis, style])
  const measure = async () => {
    setMeasuring(true)
    setFailed(null)
    try {
      const batch = kept.value?.find(({ batch }) => batch > 0)?.batch
      const steps = await measureSteps(sizes, axis, batch)
      setMeasured((before) => ({ ...before, [axis]: steps }))
    } catch (error) {
      setFailed(messageOf(error))
    }
    setMeasuring(false)
  }
  const wrong = [
    kept.error && `The steps of stored runs were not read: ${kept.error}`,
    failed && `Steps were not measured: ${failed}`,
  ].filter((each) => each !== null)
  return (
    <section className="cost-curves" aria-label={`cost of ${name} by formula`} data-testid="cost-curves">
      <div className="model-tools">
        <Choice label="cost by" options={AXES} value={axis} onChange={setAxis} />
        <span className="muted">{`around ${tokens} tokens, width ${width}, depth ${depth}`}</span>
        <Button
          look="small"
          busy={measuring}
          title="Time training steps of these blocks on the backend of the kernel, for ten seconds"
          onClick={() => void measure()}
          testId="measure-steps"
        >
          {measuring ? 'Measures…' : 'Measure steps'}
        </Button>
      </div>
      <ChartView chart={chart} />
      {wrong.map((sentence) => (
        <p key={sentence} className="bad" role="alert">
          {sentence}
        </p>
      ))}
      <div data-testid="step-times" aria-busy={measuring}>
        {times ? (
          <ChartView chart={times} />
        ) : (
          kept.value &&
          !found && (
            <p className="muted">No finished run of these models is stored; Measure steps times some sizes here.</p>
          )
        )}
      </div>
      {found && found.left.length > 0 && (
        <p className="muted">{`Not measured, for want of time where nothing else is said: ${found.left.join('; ')}.`}</p>
      )}
    </section>
  )
}
