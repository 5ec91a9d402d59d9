import { type ReactNode, useMemo, useState } from 'react'
import { type CurveOptions, curves } from '../../engine/charts/curves.ts'
import { meaningIn } from '../../engine/records/meaning.ts'
import { ChartView } from '../charts/ChartView.tsx'
import type { Range } from '../charts/events.ts'
import { pageChart } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import type { StudyView } from '../protocol/study.ts'
import { useCurveRuns } from './useCurveRuns.ts'

type Look = Required<Pick<CurveOptions, 'show' | 'logX' | 'logY'>>

const SHOWN: Record<Look['show'], string> = { sd: 'mean ± sd', interval: 'mean, 95% interval', seeds: 'all seeds' }

interface CurvesProps {
  study: StudyView
  metric: string
  /** What stands before their options. */
  children?: ReactNode
}

/** The curves of one metric, growing while the study trains. */
export function Curves({ study, metric, children }: CurvesProps) {
  const [look, setLook] = useState<Look>({ show: 'sd', logX: false, logY: false })
  const axes = `${metric} ${look.logX} ${look.logY}`
  const [zoom, setZoom] = useState<{ axes: string; range: Range | null }>({ axes, range: null })
  const runs = useCurveRuns(study, metric, zoom.axes === axes ? zoom.range : null)
  const style = useFigureStyle()
  const { variants } = study
  const said = JSON.stringify(meaningIn(study.runs, metric)) // the same text until it changes
  const steps = Math.max(0, ...study.runs.map((run) => run.steps))
  const chart = useMemo(
    () =>
      pageChart(style, (style) => curves(runs, { metric, meaning: JSON.parse(said), variants, steps, ...look }, style)),
    [metric, said, variants, runs, steps, look, style],
  )
  return (
    <div className="curves" data-testid="curves" data-points={runs.reduce((sum, run) => sum + run.steps.length, 0)}>
      <div className="curve-options">
        {children}
        <select
          aria-label="what the curves show"
          value={look.show}
          onChange={({ target }) => setLook({ ...look, show: target.value as Look['show'] })}
        >
          {Object.entries(SHOWN).map(([show, words]) => (
            <option key={show} value={show}>
              {words}
            </option>
          ))}
        </select>
        <Switch label="log steps" on={look.logX} onChange={(logX) => setLook({ ...look, logX })} />
        <Switch label="log values" on={look.logY} onChange={(logY) => setLook({ ...look, logY })} />
      </div>
      <ChartView chart={chart} onZoom={(range) => setZoom({ axes, range })} />
    </div>
  )
}

function Switch({ label, on, onChange }: { label: string; on: boolean; onChange(on: boolean): void }) {
  return (
    <label className="switch-label">
      <input type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}
