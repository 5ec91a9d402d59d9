import type { CurveAxis } from '../records/series.ts'

/** A place on an axis, or the value of a table. What is not finite is null: JSON has neither NaN nor infinity. */
export type DisplayValue = number | string | null

/** What all figures have. */
interface Titles {
  title: string | null
  xLabel: string | null
  yLabel: string | null
  /** What was left out, in words, or null. */
  note: string | null
}

/** Lines, dots or bars over two axes. Plain data; the page draws it. */
export interface Marks extends Titles {
  type: 'marks'
  mark: 'line' | 'scatter' | 'bar'
  series: MarkSeries[]
  /** Width of the bars in units of x, or null where that is not said. */
  barWidth: number | null
  /** Values of y are shares, said in percent. */
  share?: boolean | undefined
}

/** The marks of one colour; `x` and `y` are as long as each other. */
export interface MarkSeries {
  name: string
  x: DisplayValue[]
  y: (number | null)[]
  /** One value per mark on a colour scale, in place of one colour for all. */
  color?: (number | null)[] | undefined
  /** From where to where values lie around each `y` of a line. */
  band?: { low: (number | null)[]; high: (number | null)[] } | undefined
  /** Its place among the colours, where that is not its place among the series: others may have nothing to draw here. */
  place?: number | undefined
}

/** A matrix in colours: `z[row][column]`, the first row on top. */
export interface Heatmap extends Titles {
  type: 'heatmap'
  z: (number | null)[][]
  /** Names of the columns and the rows; null where they are only counted. */
  x: DisplayValue[] | null
  y: DisplayValue[] | null
}

/** Rows under named columns. */
export interface Table {
  type: 'table'
  columns: string[]
  rows: DisplayValue[][]
  /** Rows that there are; more than `rows.length` where the later ones are left out. */
  total: number
}

/**
 * What `plot.runs` makes: which runs of the workspace are to be drawn, and how. It has none of their numbers: code of cells
 * does not read the store, and who shows the figure makes it to marks.
 */
export interface RunsFigure extends Omit<Titles, 'note'> {
  type: 'runs'
  /** Which runs, as in the table of runs. */
  filter: string
  /** The column of what is drawn, a metric where it lies over training. */
  y: string
  /** What curves lie over, or the column of the other axis, where each run is a dot. */
  along: { over: CurveAxis } | { x: string }
  /** The columns by whose values runs are told apart. */
  color: string[]
}

/** Figures in rows of so many, each with a letter. */
export interface Panels<Each = Marks | Heatmap> {
  type: 'panels'
  panels: Each[]
  columns: number
  title: string | null
}

/** Figures that still have to be read of the store. */
export type OpenFigure = RunsFigure | Panels<Marks | Heatmap | RunsFigure>

/** Everything that `plot` and `table` make. */
export type Figure = Marks | Heatmap | Table | Panels
