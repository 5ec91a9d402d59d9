import { useMemo } from 'react'
import { confusions } from '../../engine/charts/confusion.ts'
import type { Report } from '../../engine/records/report.ts'
import { type PageChart, pageCharts } from '../charts/pageChart.ts'
import { useFigureStyle } from '../charts/useFigureStyle.ts'
import { host } from '../host/state.ts'
import { type HostAnswer, useAnswer } from '../host/useAnswer.ts'

/** The confusion matrix of a test. */
export interface Confusion {
  split: string
  chart: PageChart
}

/** The confusion matrices of a run at its last evaluation; none where its task has no classes. */
export function useConfusions(run: number): HostAnswer<Confusion[]> {
  const style = useFigureStyle()
  const { value, error } = useAnswer(String(run), async () => (await host().readReport(run)) ?? {})
  const found = useMemo(() => {
    const ofSplit = ([split, part]: [string, Report]) =>
      pageCharts(style, (style) => confusions({ [split]: part }, run, style)).map((chart) => ({ split, chart }))
    return value && Object.entries(value).flatMap(ofSplit)
  }, [value, run, style])
  return { value: found, error }
}
