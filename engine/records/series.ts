/** The points of one metric of a run. */
export interface Series {
  run: number
  steps: number[]
  values: number[]
}

/** What curves of runs lie over. */
export const CURVE_AXES = ['step', 'time', 'macs', 'examples', 'epochs'] as const
export type CurveAxis = (typeof CURVE_AXES)[number]

/** Columns that group runs together at most. */
export const MAX_BY = 3

/** First and last step. */
export type StepRange = [from: number, to: number]

/** Runs whose series are taken together. */
export interface SeriesGroup {
  name: string
  runs: number[]
}

/**
 * One metric over the runs of a group. Where the runs have more points than were asked for, each step stands for a
 * stretch of steps, and the value of a run is the mean of its numbers there; a run without points in a stretch, but with
 * some before and after it, has the value between these.
 */
export interface SeriesBand {
  group: string
  metric: string
  steps: number[]
  /** The mean over the `n` runs that have a value there. */
  mean: number[]
  /** Sample standard deviation over these runs; null where there is only one. */
  sd: (number | null)[]
  /** The smallest and the largest of all points of these runs. */
  min: number[]
  max: number[]
  n: number[]
}
