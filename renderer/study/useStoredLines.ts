import { useEffect, useState } from 'react'
import type { Line } from '../../engine/study/align.ts'
import type { Range } from '../charts/figure/events.ts'
import { host } from '../host/state.ts'

/** What is known so far, of one metric and range. */
interface Found {
  of: string
  lines: ReadonlyMap<number, Line>
}

const NOTHING: Line = { steps: [], values: [] }

/** Series of runs as the store has them, by run; what it has not told yet is missing. Each is read once. */
export function useStoredLines(
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
