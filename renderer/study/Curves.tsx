import { useMemo } from 'react'
import { curves } from '../charts/curves.ts'
import { FigureView } from '../charts/FigureView.tsx'
import { figureStyle } from '../charts/style.ts'
import { useTheme } from '../shell/theme.ts'
import { useCurveRuns } from './useCurveRuns.ts'
import type { StudyView } from './view.ts'

/** The curves of one metric, growing while the study trains. */
export function Curves({ study, metric }: { study: StudyView; metric: string }) {
  const dark = useTheme((state) => state.dark)
  const runs = useCurveRuns(study, metric)
  const style = useMemo(() => ({ dark, ...figureStyle() }), [dark])
  const { variants } = study
  const steps = Math.max(0, ...study.runs.map((run) => run.steps))
  const figure = useMemo(() => curves(metric, variants, runs, steps, style), [metric, variants, runs, steps, style])
  const empty = runs.every((run) => run.steps.length === 0)
  return (
    <div className="curves" data-testid="curves" data-points={runs.reduce((sum, run) => sum + run.steps.length, 0)}>
      <FigureView figure={figure} label={`${metric} over steps for ${variants.join(', ')}`} />
      {empty && <p className="curves-empty">No values of {metric} yet.</p>}
    </div>
  )
}
