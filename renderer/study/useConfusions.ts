import { useMemo } from 'react'
import { confusions } from '../../engine/charts/confusion.ts'
import type { Chart } from '../../engine/charts/figure/chart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { type HostAnswer, useAnswer } from '../host/useAnswer.ts'

/** The confusion matrices of a run at its last evaluation; none where its task has no classes. */
export function useConfusions(run: number): HostAnswer<Chart[]> {
  const style = useFigureStyle()
  const { value, error } = useAnswer(String(run), async () => (await host().readReport(run)) ?? {})
  const charts = useMemo(() => value && confusions(value, run, style), [value, run, style])
  return { value: charts, error }
}
