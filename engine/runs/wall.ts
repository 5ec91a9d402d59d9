import { z } from 'zod'
import { list, number, text, texts } from '../call.ts'
import { CURVE_AXES, MAX_BY } from '../records/series.ts'

/** What a panel shows: a metric over training, or a column of runs in one of several ways. */
export const PANEL_KINDS = ['curves', 'values', 'scatter', 'parallel', 'best'] as const
export type PanelKind = (typeof PANEL_KINDS)[number]

export const MAX_PANELS = 60
/** Columns of the wall that a panel takes, and rows. */
export const MAX_SPAN = 3

const span = z.int().min(1).max(MAX_SPAN)

const panel = z.strictObject({
  /** Tells the panels of a wall apart. */
  id: text,
  kind: z.enum(PANEL_KINDS),
  /** A metric of curves, else a column of numbers. */
  metric: text,
  /** The column of the other axis of a scatter. */
  x: text.exactOptional(),
  /** Other columns: the axes of parallel coordinates, and of a table; those that tell the runs apart where left out. */
  columns: texts.exactOptional(),
  logX: z.boolean().exactOptional(),
  logY: z.boolean().exactOptional(),
  /** Whether a line joins the means of a group in a scatter. */
  joined: z.boolean().exactOptional(),
  width: span,
  height: span,
})
export type Panel = z.output<typeof panel>

/** Bands around means: a standard deviation, the 95% interval of the mean, from the smallest to the largest, or none. */
export const BANDS = ['sd', 'interval', 'range', 'none'] as const
export type BandKind = (typeof BANDS)[number]

export const wall = z.strictObject({
  /** The columns by whose values runs are grouped. */
  by: texts.max(MAX_BY),
  /** What curves lie over. */
  x: z.enum(CURVE_AXES),
  logX: z.boolean(),
  /** Weight of the past in a moving average. */
  smoothing: number.refine((value) => value >= 0 && value < 1, 'a number from 0 to below 1'),
  band: z.enum(BANDS),
  panels: list(panel).refine(({ length }) => length <= MAX_PANELS, `at most ${MAX_PANELS} panels`),
})

/** Charts of the runs that pass a filter, side by side. */
export type Wall = z.output<typeof wall>

/** A wall that the workspace keeps. */
export interface KeptWall {
  name: string
  /** Rises by one with every change. */
  revision: number
  wall: Wall
}
