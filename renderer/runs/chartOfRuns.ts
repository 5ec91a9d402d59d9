import { ablation } from '../../engine/charts/ablation.ts'
import { against } from '../../engine/charts/against.ts'
import { dataSize } from '../../engine/charts/dataSize.ts'
import { depth } from '../../engine/charts/depth.ts'
import type { Chart, MetricChartOptions } from '../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../engine/charts/figure/figure.ts'
import { parallel } from '../../engine/charts/parallel.ts'
import { type Cost, scaling } from '../../engine/charts/scaling.ts'
import { columnName } from '../../engine/runs/column.ts'
import type { CellValue, ColumnName, Page, RunFields, RunLine } from '../../engine/runs/types.ts'
import { PACE } from '../../engine/train/meanings.ts'

/** What a chart of runs shows: a metric by variant, against a number, or by all options that differ. */
export interface ChartOfRuns {
  by: 'variant' | 'number' | 'options'
  metric: string
  /** The column of the number. */
  x: ColumnName
  /** What a line joins: the runs of a block, of a variant or of a study. */
  join: 'block' | 'variant' | 'study'
}

/** Of more runs, the newest are drawn. */
export const MAX_RUNS = 1000

/** Of more variants, the newest are drawn. */
const VARIANTS = 60

/** More axes side by side cannot be read. */
const AXES = 8
const LONGEST = 24 // characters of a value on an axis

/** From this ratio on, numbers are spread by powers of ten. */
const WIDE = 20

/** The option that names the block of a run. */
const BLOCK = 'model.block'

/** Columns that may have numbers to draw a metric against. */
export function numberColumns({ options, metrics, meanings }: RunFields): ColumnName[] {
  const speeds = metrics.filter((name) => meanings[name]?.unit === PACE.unit)
  return ['parameters', 'macs', 'time', ...speeds, ...options.map((name) => columnName({ kind: 'option', name }))]
}

/** The columns that a chart needs of its runs. */
export function columnsFor({ by, metric, x }: ChartOfRuns, { options }: RunFields): ColumnName[] {
  if (by === 'variant') return [metric]
  return by === 'number' ? [metric, x, ...options.filter((name) => name === BLOCK)] : [metric, ...options]
}

/** The finished runs of a page, newest first, that has the columns of `columnsFor`. */
export function chartOfRuns(
  { rows, total }: Page<RunLine>,
  choice: ChartOfRuns,
  fields: RunFields,
  style: FigureStyle,
): Chart {
  const done = rows.filter((row) => row.status === 'done').reverse()
  const several = new Set(done.map((row) => row.study)).size > 1
  const lines = done.map((row): Line => {
    const [value = null, ...rest] = row.values
    const name = several ? `${row.study}: ${row.variant}` : row.variant
    const family = { block: String(rest[1] ?? row.variant), variant: row.variant, study: row.study }[choice.join]
    return { name, family, seed: row.seed, run: row.id, value: numberOf(value), rest }
  })
  const chart = draw(lines, choice, fields, style)
  const left = total > rows.length ? `The newest ${rows.length} of ${total} runs.` : ''
  const note = [chart.note, left].filter(Boolean).join(' ')
  return note ? { ...chart, note } : chart
}

interface Line {
  name: string
  family: string
  seed: number
  run: number
  value: number
  /** The other columns. */
  rest: CellValue[]
}

function draw(lines: Line[], { by, metric, x }: ChartOfRuns, fields: RunFields, style: FigureStyle): Chart {
  const meaning = fields.meanings[metric]
  if (by === 'number') return drawNumber(lines, { metric, meaning }, x, fields, style)
  const axes = by === 'options' ? axesOf(lines, fields.options) : []
  const rows = lines.map(({ name, seed, run, value, rest }) => {
    const options = Object.fromEntries(axes.map(({ name, place }) => [name, rest[place] ?? null]))
    return { variant: name, seed, run, value, options }
  })
  if (by === 'options') return parallel(rows, { metric, meaning, axes: axes.map(({ name }) => name) }, style)
  const variants = [...new Set(rows.map(({ variant }) => variant))]
  const chart = ablation(rows, { metric, meaning, variants: variants.slice(-VARIANTS) }, style)
  if (variants.length <= VARIANTS) return chart
  return { ...chart, note: `${chart.note ?? ''} The newest ${VARIANTS} of ${variants.length} variants.`.trim() }
}

/** The first options that all runs have, that can be read, and that tell runs apart in ways of their own. */
function axesOf(lines: Line[], options: string[]): { name: string; place: number }[] {
  const ways = new Set<string>([lines.map(() => 0).join()])
  const telling = [...options.keys()].filter((place) => {
    const values = lines.map(({ rest }) => rest[place] ?? null)
    if (values.some((value) => value === null || String(value).length > LONGEST)) return false
    const way = values.map((value) => values.indexOf(value)).join()
    return !ways.has(way) && ways.add(way)
  })
  const last = (place: number) => options[place]?.split('.').at(-1) ?? ''
  return telling.slice(0, AXES).map((place) => {
    const alone = telling.filter((other) => last(other) === last(place)).length === 1
    return { name: alone ? last(place) : (options[place] ?? ''), place }
  })
}

function drawNumber(
  lines: Line[],
  shown: MetricChartOptions,
  x: ColumnName,
  { meanings }: RunFields,
  style: FigureStyle,
): Chart {
  const placed = lines.map(({ name, family, seed, run, value, rest }) => {
    return { variant: name, family, seed, run, value, x: numberOf(rest[0] ?? null) }
  })
  const cost: Cost | null = COSTS[x] ?? (meanings[x]?.unit === PACE.unit ? 'throughput' : null)
  if (cost) {
    const costly = placed.map((row) => ({ ...row, [cost]: row.x }))
    return scaling(costly, { ...shown, cost }, style)
  }
  if (x === 'depth') {
    const deep = placed.map((row) => ({ ...row, depth: row.x }))
    return depth(deep, shown, style)
  }
  if (x.endsWith('data.options.train')) {
    const sized = placed.map((row) => ({ ...row, variant: row.family, examples: row.x }))
    return dataSize(sized, shown, style)
  }
  const places = placed.map((row) => row.x).filter(Number.isFinite)
  const [low, high] = [Math.min(...places), Math.max(...places)]
  const rows = placed.map(({ variant, ...row }) => ({ ...row, point: `${variant}, ${x} ${row.x}` }))
  const logX = low > 0 && high / low >= WIDE
  return against(rows, { title: `${shown.metric} against ${x}`, ...shown, xLabel: x, logX }, style)
}

const COSTS: Partial<Record<ColumnName, Cost>> = { parameters: 'parameters', macs: 'macs', time: 'seconds' }

function numberOf(value: CellValue): number {
  return typeof value === 'number' ? value : Number.NaN
}
