import type { MetricMeaning } from '../../records/meaning.ts'
import type { AnyTrace, FigureStyle, PlotlyFigure } from './figure.ts'

/**
 * A drawing and the table behind it, as a chart file makes it from rows, options and a style. Plain data, made without a
 * page. A point leads to its run where its trace has `customdata` (run ids, one per point) or `meta: { run }`; in the
 * table, the cells of a column that is called `run` do.
 */
export interface Chart {
  /** A short sentence; the figure itself has no title. */
  title: string
  figure: PlotlyFigure<AnyTrace>
  columns: string[]
  /** One value per column. */
  rows: (string | number | null)[][]
  /** Pixels that the drawing needs where its box does not know: of panels, or of many variants. */
  height?: number
  /** What the reader must know beyond the axes: smoothing, what a band is, what was left out. */
  note?: string
}

/** A chart whose style is still open: how much room it has depends on what stands beside it. */
export type Panel = (style: FigureStyle) => Chart

/** What a run came to. */
export interface ResultRow {
  variant: string
  seed: number
  /** Id in the store; null where it is not known. */
  run: number | null
  value: number
}

/** Which metric a chart shows. */
export interface MetricChartOptions {
  metric: string
  /** What its values mean; shown as plain numbers without. */
  meaning?: MetricMeaning | undefined
}

/** Sentences as the note of a chart. */
export function noteOf(sentences: string[]): Pick<Chart, 'note'> {
  return sentences.length > 0 ? { note: sentences.join(' ') } : {}
}

/** The column whose cells lead to runs. */
export const RUN = 'run'

const NAMED = 8

/** What a screen reader says for the drawing: its title and what it compares. The rows are in the table. */
export function labelOf({ title, columns, rows }: Chart): string {
  if (rows.length === 0) return `${title}: nothing to draw yet`
  const names = [...new Set(rows.map(([first]) => first))]
  const compared = names.length > NAMED ? `${names.length} of them` : names.join(', ')
  return `${title}; ${columns[0]}: ${compared}`
}
