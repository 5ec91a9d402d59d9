import { useEffect, useMemo, useState } from 'react'
import type { Line } from '../../engine/study/align.ts'
import type { CurveRun } from '../charts/curves.ts'
import { decimate } from '../charts/decimate.ts'
import { host } from '../host/state.ts'
import { isLive, livePoints, resumedAt } from './points.ts'
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
      const line = id === null ? NOTHING : joined(id, stored.get(`${id} ${metric}`) ?? NOTHING, livePoints(id, metric))
      return { variant, seed, done: status === 'done', ...decimate(line, BUCKETS) }
    })
  }, [calm, stored, metric])
}

/** The points of the store, or the live ones; of a run that went on, first those of the store and then the live ones. */
function joined(id: number, stored: Line, live: Line | null): Line {
  if (!live) return stored
  const before = stored.steps.filter((step) => step <= resumedAt(id)).length
  return {
    steps: [...stored.steps.slice(0, before), ...live.steps],
    values: [...stored.values.slice(0, before), ...live.values],
  }
}

/** Series read from the store, by run and metric. What is read does not change any more, or the live points follow it. */
function useStoredLines(study: StudyView, metric: string): ReadonlyMap<string, Line> {
  const [lines, setLines] = useState<ReadonlyMap<string, Line>>(new Map())
  const missing = study.runs
    .flatMap(({ id, status }) =>
      id !== null && (resumedAt(id) > 0 || (status !== 'running' && !isLive(id))) ? [id] : [],
    )
    .filter((id) => !lines.has(`${id} ${metric}`))
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
