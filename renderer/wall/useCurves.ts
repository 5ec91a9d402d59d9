import { MAX_GROUPS, type RunCurves } from '../../engine/runs/curves.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Wall } from '../../engine/runs/wall.ts'
import { host } from '../host/state.ts'
import { columnOf } from './rows.ts'
import type { Drawn } from './types.ts'
import { type Asked, useAsked } from './useAsked.ts'

/** Places on the axis of a panel by each column of the wall that it takes, some three pixels apart, and of one that is shown alone. */
const BUCKETS = { column: 100, whole: 500 }

interface CurvesAsked {
  metric: string
  /** Columns of the wall that the panel takes. */
  width: number
  wall: Wall
  fields: RunFields
  drawn: Drawn
  /** The part of the axis that is zoomed into. */
  range: [from: number, to: number] | null
  whole: boolean
  /** Whether the panel was seen. */
  due: boolean
}

/** A metric over training of the runs that pass a filter, kept up to date. */
export function useCurves(asked: CurvesAsked): Asked<RunCurves> {
  const { metric, width, wall, fields, drawn, range, whole, due } = asked
  const { filter, picked, stamp } = drawn
  const query = {
    ...{ filter, metric, x: wall.x, logX: wall.logX },
    by: wall.by.filter((name) => columnOf(name, fields)),
    lines: [...picked],
    buckets: whole ? BUCKETS.whole : BUCKETS.column * width,
    ...(range ? { range } : {}),
    ...wanted(drawn),
  }
  return useAsked(
    due ? JSON.stringify([query, stamp]) : null,
    () => host().readCurves(query),
    ({ lines }) => lines.some(({ status }) => status === 'running'),
  )
}

/** The groups that are not hidden, where not all of them would be given. */
function wanted({ groups, looks: { hidden } }: Drawn): { groups?: string[] } {
  if (hidden.size === 0 || groups.length <= MAX_GROUPS) return {}
  return { groups: groups.flatMap(({ name }) => (hidden.has(name) ? [] : [name])) }
}
