import { z } from 'zod'
import { count, list, number, text, texts, whole } from '../call.ts'
import type { RunStatus } from '../records/run.ts'
import { CURVE_AXES, MAX_BY } from '../records/series.ts'
import type { CellValue } from './types.ts'

/** Of more groups, those with the most runs are given. */
export const MAX_GROUPS = 60
/** Of more runs, the newest are read. */
export const MAX_CURVES = 5000
/** Runs that are given one by one. */
export const MAX_LINES = 40

export const curvesQuery = z.strictObject({
  /** Which runs, as in the table. */
  filter: text,
  metric: text,
  /** The columns by whose values runs are grouped; none for one group of all. */
  by: texts.max(MAX_BY),
  x: z.enum(CURVE_AXES),
  /** Whether the places on the axis are evenly spread by powers rather than by differences. */
  logX: z.boolean(),
  /** The groups that are wanted; all of them where this is left out. */
  groups: texts.exactOptional(),
  /** Runs that are also given one by one, where they pass the filter. */
  lines: list(whole),
  /** About how many places on the axis at most. */
  buckets: count,
  /** The part of the axis, in its own units; all of it where this is left out. */
  range: z.tuple([number, number]).exactOptional(),
})

/** A metric over training, of the runs that pass a filter, by group. */
export type CurvesQuery = z.output<typeof curvesQuery>

/** The runs of a group that have ended, taken together at each place on the axis where one of them has a value. */
export interface CurveGroup {
  name: string
  /** How many of them have the metric. */
  runs: number
  /** Its id where there is only one. */
  run: number | null
  x: number[]
  /** Over the `n` runs that have a value there. */
  mean: number[]
  /** Sample standard deviation over these; 0 where there is only one. */
  sd: number[]
  /** The smallest and the largest of all points behind them. */
  min: number[]
  max: number[]
  n: number[]
}

/** One run: picked, or in training. */
export interface CurveLine {
  run: number
  study: string
  variant: string
  seed: number
  status: RunStatus
  group: string
  x: number[]
  values: number[]
}

export interface RunCurves {
  /** Those with the most runs first. */
  groups: CurveGroup[]
  lines: CurveLine[]
  /** How many groups were left out, and how many runs, since there are so many. */
  groupsLeft: number
  runsLeft: number
  /** Runs without a value of the metric, and runs that have some but no known place on the axis. */
  lacking: number
  unplaced: number
}

/** What a group of runs is called, by its values of the columns that group. */
export function groupName(values: CellValue[]): string {
  return values.length === 0 ? 'all runs' : values.map((value) => (value === null ? 'none' : String(value))).join(', ')
}
