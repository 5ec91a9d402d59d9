import { plot } from '../../../engine/display/plot.ts'
import { heatmapFigure } from '../../../renderer/charts/heatmap.ts'
import { marksFigure } from '../../../renderer/charts/marks.ts'
import type { Entry } from '../entry.ts'
import { ablationRows, curveRuns } from './runs.ts'

const nothing = { columns: [], rows: [] }

/** What cells draw by `plot`. */
export const display: Entry[] = [
  {
    file: 'marks',
    name: 'lines of a cell',
    chart: async (source, style) => {
      const [run] = await curveRuns(source, 'mixing', 'train/loss')
      const marks = plot.line({ x: run?.steps ?? [], y: run?.values ?? [], xLabel: 'step', yLabel: 'loss' })
      return { title: 'plot.line', figure: marksFigure(marks, style), ...nothing }
    },
  },
  {
    file: 'marks',
    name: 'histogram of a cell',
    chart: async (source, style) => {
      const rows = await ablationRows(source, 'depths', 'eval/accuracy')
      const marks = plot.histogram({ x: rows.map(({ value }) => value), bins: 12, xLabel: 'eval/accuracy' })
      return { title: 'plot.histogram', figure: marksFigure(marks, style), ...nothing }
    },
  },
  {
    file: 'heatmap',
    name: 'matrix of a cell',
    chart: async (source, style) => {
      const runs = await curveRuns(source, 'mixing', 'eval/accuracy')
      const z = runs.map(({ values }) => values)
      return {
        title: 'plot.heatmap',
        figure: heatmapFigure(plot.heatmap({ z, xLabel: 'evaluation' }), style),
        ...nothing,
      }
    },
  },
]
