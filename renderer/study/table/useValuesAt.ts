import { useEffect, useState } from 'react'
import { host } from '../../host/state.ts'
import type { DoneRun, ValueChoice } from './values.ts'

const NONE: ReadonlyMap<number, number> = new Map()

/** The values of a metric at a step, by run id; none for another choice, and before the store has answered. */
export function useValuesAt(
  runs: readonly DoneRun[],
  metric: string,
  choice: ValueChoice,
): ReadonlyMap<number, number> {
  const [found, setFound] = useState<{ wanted: string; values: ReadonlyMap<number, number> }>()
  const step = typeof choice === 'number' ? choice : null
  const ids = runs.map(({ id }) => id).join(',')
  const wanted = `${step} ${metric} ${ids}`
  useEffect(() => {
    if (step === null || !ids) return
    let current = true
    const keep = (values: ReadonlyMap<number, number>) => current && setFound({ wanted, values })
    host()
      .readSeries(ids.split(',').map(Number), metric, 1, [step, step])
      .then(
        (series) => keep(new Map(series.flatMap(({ run, ...line }) => valueAtOrBefore(run, line, step)))),
        () => keep(NONE),
      )
    return () => {
      current = false
    }
  }, [step, metric, ids, wanted])
  return found?.wanted === wanted ? found.values : NONE
}

/** What was logged last up to a step. */
function valueAtOrBefore(run: number, { steps, values }: { steps: number[]; values: number[] }, step: number) {
  const value = values[steps.findLastIndex((each) => each <= step)]
  return value === undefined ? [] : [[run, value] as const]
}
