import type { RunCurves } from '../../engine/runs/curves.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Wall } from '../../engine/runs/wall.ts'
import { host } from '../host/state.ts'
import { columnOf } from './rows.ts'
import { type Asked, useAsked } from './useAsked.ts'

/** Places on the axis of a panel, and of one that is shown alone. */
const BUCKETS = { panel: 160, whole: 500 }

interface CurvesAsked {
  filter: string
  metric: string
  wall: Wall
  fields: RunFields
  picked: readonly number[]
  /** The part of the axis that is zoomed into. */
  range: [from: number, to: number] | null
  whole: boolean
  /** Changes where the store is to be asked again. */
  stamp: string
  /** Whether the panel was seen. */
  due: boolean
}

/** A metric over training of the runs that pass a filter, kept up to date. */
export function useCurves(asked: CurvesAsked): Asked<RunCurves> {
  const { filter, metric, wall, fields, picked, range, whole, stamp, due } = asked
  const query = {
    ...{ filter, metric, x: wall.x, logX: wall.logX },
    by: wall.by.filter((name) => columnOf(name, fields)),
    lines: [...picked],
    buckets: whole ? BUCKETS.whole : BUCKETS.panel,
    ...(range ? { range } : {}),
  }
  return useAsked(
    due ? JSON.stringify([query, stamp]) : null,
    () => host().readCurves(query),
    ({ lines }) => lines.some(({ status }) => status === 'running'),
  )
}
