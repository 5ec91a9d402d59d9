import { useEffect, useMemo, useState } from 'react'
import type { Line } from '../charts/align.ts'
import type { CurveRun } from '../charts/curves.ts'
import { decimate } from '../charts/decimate.ts'
import { host } from '../host/state.ts'
import { isLive, livePoints } from './points.ts'
import { useCalm } from './useCalm.ts'
import type { StudyView } from './view.ts'

const BUCKETS = 400
const REDRAW_EVERY = 300 // ms; a redraw takes about 50

const NOTHING: Line = { steps: [], values: [] }

/** The points of a metric for all runs of a study: those in memory, and for older runs those of the store. */
export function useCurveRuns(study: StudyView, metric: string): CurveRun[] {
  const calm = useCalm(study, REDRAW_EVERY)
  const stored = useStoredLines(calm, metric)
  return useMemo(() => {
    return calm.runs.map(({ id, variant, seed, status }) => {
      const line = id === null ? NOTHING : (livePoints(id, metric) ?? stored.get(`${id} ${metric}`) ?? NOTHING)
      return { variant, seed, done: status === 'done', ...decimate(line, BUCKETS) }
    })
  }, [calm, stored, metric])
}

/** Series read from the store, by run and metric. A run that is not in training does not change. */
function useStoredLines(study: StudyView, metric: string): ReadonlyMap<string, Line> {
  const [lines, setLines] = useState<ReadonlyMap<string, Line>>(new Map())
  const missing = study.runs
    .filter(({ id, status }) => id !== null && status !== 'running' && !isLive(id) && !lines.has(`${id} ${metric}`))
    .flatMap(({ id }) => (id === null ? [] : [id]))
  const wanted = missing.join(',')

  useEffect(() => {
    if (!wanted) return
    let current = true
    const ids = wanted.split(',').map(Number)
    const keep = (series: { run: number; steps: number[]; values: number[] }[]) => {
      if (!current) return
      setLines((before) => {
        const after = new Map(before)
        for (const id of ids) after.set(`${id} ${metric}`, series.find(({ run }) => run === id) ?? NOTHING)
        return after
      })
    }
    host()
      .readSeries(ids, metric, BUCKETS)
      .then(keep, () => keep([]))
    return () => {
      current = false
    }
  }, [wanted, metric])
  return lines
}
