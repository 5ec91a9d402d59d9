import type { Chart } from '../../engine/charts/figure/chart.ts'
import type { FigureStyle } from '../../engine/charts/figure/figure.ts'
import { parallel } from '../../engine/charts/parallel.ts'
import { columnScatter } from '../../engine/charts/wall/columnScatter.ts'
import type { GroupedRun, GroupLooks } from '../../engine/charts/wall/groups.ts'
import { AROUND, GROUP_HEIGHT, groupValues } from '../../engine/charts/wall/groupValues.ts'
import { tellingOptions } from '../../engine/charts/wall/tellingOptions.ts'
import type { MetricMeaning } from '../../engine/records/meaning.ts'
import { columnName } from '../../engine/runs/column.ts'
import type { RunFields } from '../../engine/runs/types.ts'
import type { Panel } from '../../engine/runs/wall.ts'
import { columnOf, columnsOf } from './rows.ts'

/** What a column means where it is a metric. */
export function meaningOf(name: string, fields: RunFields): MetricMeaning | undefined {
  const column = columnOf(name, fields)
  return column?.kind === 'metric' ? column.meaning : undefined
}

/** The chart of a panel of columns; `room` is the height that it has, in pixels, or null for as much as it needs. */
export function chartOfRows(
  panel: Panel,
  rows: GroupedRun[],
  { fields, looks, room, style }: { fields: RunFields; looks: GroupLooks; room: number | null; style: FigureStyle },
): Chart | null {
  const { kind, metric, x = '', logX = false, logY = false, joined = false } = panel
  const shared = { metric, meaning: meaningOf(metric, fields), ...looks }
  const ended = rows.filter(({ status }) => status !== 'running')
  switch (kind) {
    case 'values': {
      const most = room === null ? Number.POSITIVE_INFINITY : Math.floor((room - AROUND) / GROUP_HEIGHT)
      return groupValues(ended, { ...shared, most, log: logY }, style)
    }
    case 'scatter': {
      const axes = { x, xMeaning: meaningOf(x, fields), logX, logY }
      return columnScatter(ended, { ...shared, ...axes, joined, small: room !== null }, style)
    }
    case 'parallel':
      return parallelOf(
        panel,
        ended.filter(({ group }) => !looks.hidden.has(group)),
        fields,
        style,
      )
    default:
      return null
  }
}

function parallelOf(panel: Panel, runs: GroupedRun[], fields: RunFields, style: FigureStyle): Chart {
  const { metric, columns } = panel
  const others = columnsOf(panel, fields).slice(1)
  const axes = columns ?? tellingOptions(runs, others)
  const names = axes.map((name) => shortName(name, axes, fields))
  const rows = runs.map(({ run, study, variant, seed, values }) => ({
    ...{ variant: `${study}: ${variant}`, seed, run },
    value: typeof values[metric] === 'number' ? values[metric] : Number.NaN,
    options: Object.fromEntries(axes.map((axis, i) => [names[i] ?? axis, values[axis] ?? null])),
  }))
  return parallel(rows, { metric, meaning: meaningOf(metric, fields), axes: names }, style)
}

/** A column by its short name, or the end of its path where no other axis ends so. */
function shortName(name: string, all: string[], fields: RunFields): string {
  const column = columnOf(name, fields)
  const short = column ? columnName(column) : name
  const end = short.split('.').at(-1) ?? short
  const alike = all.filter((other) => (other.split('.').at(-1) ?? other) === end)
  return column?.kind === 'option' && alike.length <= 1 ? end : short
}
