import { useEffect, useMemo, useRef, useState } from 'react'
import type { CurveRun } from '../../engine/charts/curves.ts'
import { decimate } from '../../engine/charts/decimate.ts'
import type { Line } from '../../engine/study/align.ts'
import type { Range } from '../charts/events.ts'
import { host } from '../host/state.ts'
import type { StudyView } from '../protocol/study.ts'
import { isLive, livePoints, resumedAt } from '../session/kernel/points.ts'
import { endLine } from './endLine.ts'

const BUCKETS = 400
/** ms between two redraws: at least, and at most. */
const REDRAW_EVERY = [1000, 10_000] as const
/** A redraw takes 50 to 200 ms of a core that training wants, so curves have one part in so many of the time. */
const SHARE = 40
/** ms for which nothing is redrawn after a key press, for the next one would wait; and for how long that may put a redraw off. */
const [TYPING, MAX_PUT_OFF] = [400, 4000]

const NOTHING: Line = { steps: [], values: [] }

/**
 * The points of a metric for all runs of a study: those in memory, and for older runs those of the store; of a read-out of
 * the end its one value. Where there are too many to draw, extremes are kept, and `range`, of steps, has all of its own points.
 */
export function useCurveRuns(study: StudyView, metric: string, range: Range | null): CurveRun[] {
  const calm = useCalm(
    study,
    study.runs.some(({ status }) => status === 'waiting' || status === 'running'),
  )
  // What is stored of these does not change any more, or the live points follow it.
  const ids = calm.runs.flatMap(({ id, status }) =>
    id !== null && (resumedAt(id) > 0 || (status !== 'running' && !isLive(id))) ? [id] : [],
  )
  const stored = useStoredLines(ids, metric, BUCKETS, null)
  const long = ids.filter((id) => (stored.get(id)?.steps.length ?? 0) >= BUCKETS / 2)
  const finer = useStoredLines(range ? long : [], metric, BUCKETS, range)
  return useMemo(() => {
    return calm.runs.map((run) => {
      const { id, variant, seed, status } = run
      const known = id === null ? undefined : (finer.get(id) ?? stored.get(id))
      const live = id === null ? null : livePoints(id, metric)
      const end = id === null ? NOTHING : endLine(run, metric)
      const points =
        end || known || range || !live
          ? decimate(within(end ?? joined(id ?? 0, known ?? NOTHING, live), range), BUCKETS)
          : drawnOf(live)
      return { variant, seed, run: id, done: status === 'done', ...points }
    })
  }, [calm, stored, finer, metric, range])
}

/** Live points as they are drawn, and how many there were: those of a run that has ended are the same at each redraw. */
const drawn = new WeakMap<Line, { count: number; points: Line }>()

/** Few enough points of a line that grows in place. */
function drawnOf(line: Line): Line {
  const count = line.steps.length
  const known = drawn.get(line)
  if (known?.count === count) return known.points
  const few = decimate(line, BUCKETS)
  const points = few === line ? { steps: [...line.steps], values: [...line.values] } : few
  drawn.set(line, { count, points })
  return points
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

/** The points in a range, and those before and after it, so that its edges are reached. */
function within(line: Line, range: Range | null): Line {
  if (!range || line.steps.length <= BUCKETS) return line
  const from = Math.max(0, line.steps.findIndex((step) => step >= range[0]) - 1)
  const after = line.steps.findIndex((step) => step > range[1])
  const to = after < 0 ? line.steps.length : after + 1
  return { steps: line.steps.slice(from, to), values: line.values.slice(from, to) }
}

/** A value that changes so seldom while a study trains that what is drawn of it takes a small share of the time. */
function useCalm<T>(value: T, training: boolean): T {
  const [calm, setCalm] = useState(value)
  const next = useRef(0)
  useEffect(() => {
    const draw = () => {
      const start = performance.now()
      const wait = Math.min(pressedAt() + TYPING, next.current + MAX_PUT_OFF) - start
      if (training && wait > 0) {
        timer = setTimeout(draw, wait)
        return
      }
      const [least, most] = REDRAW_EVERY
      next.current = start + least
      setCalm(value)
      afterPaint(() => {
        next.current = start + Math.min(most, Math.max(least, SHARE * (performance.now() - start)))
      })
    }
    let timer = setTimeout(draw, training ? Math.max(0, next.current - performance.now()) : 0)
    return () => clearTimeout(timer)
  }, [value, training])
  return calm
}

let pressed: number | null = null

/** When a key was pressed last; what came before the first call is not known. */
function pressedAt(): number {
  if (pressed === null) addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true })
  pressed ??= Number.NEGATIVE_INFINITY
  return pressed
}

/** Calls back once what is being drawn is on the screen; not before, while the page is hidden. */
function afterPaint(call: () => void): void {
  requestAnimationFrame(() => setTimeout(call))
}

/** What is known so far, of one metric and range. */
interface Found {
  of: string
  lines: ReadonlyMap<number, Line>
}

/** Series of runs from the store, by run; without the ones still being read. Each is read once. */
function useStoredLines(
  ids: readonly number[],
  metric: string,
  buckets: number,
  range: Range | null,
): ReadonlyMap<number, Line> {
  const of = JSON.stringify([metric, range && [Math.floor(range[0]), Math.ceil(range[1])]])
  const [found, setFound] = useState<Found>({ of, lines: new Map() })
  const known = found.of === of ? found.lines : NONE
  const missing = ids.filter((id) => !known.has(id)).join(',')

  useEffect(() => {
    if (!missing) return
    let current = true
    const wanted = missing.split(',').map(Number)
    const [name, steps] = JSON.parse(of) as [string, Range | null]
    const keep = (series: { run: number; steps: number[]; values: number[] }[]) => {
      if (!current) return
      setFound((before) => {
        const lines = new Map(before.of === of ? before.lines : [])
        for (const id of wanted) lines.set(id, series.find(({ run }) => run === id) ?? NOTHING)
        return { of, lines }
      })
    }
    host()
      .readSeries(wanted, name, buckets, steps ?? undefined)
      .then(keep, () => keep([]))
    return () => {
      current = false
    }
  }, [missing, of, buckets])
  return known
}

const NONE: ReadonlyMap<number, Line> = new Map()
