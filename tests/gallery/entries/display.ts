import { heatmapChart } from '../../../engine/charts/heatmap.ts'
import { marksChart } from '../../../engine/charts/marks.ts'
import { plot } from '../../../engine/display/plot.ts'
import type { Entry } from '../entry.ts'
import { ablationRows, curveRuns } from './runs.ts'

/** What cells draw by `plot`. */
export const display: Entry[] = [
  {
    file: 'marks',
    name: 'lines of a cell',
    chart: async (source, style) => {
      const [run] = await curveRuns(source, 'mixing', 'train/loss')
      const marks = plot.line({
        title: 'plot.line',
        x: run?.steps ?? [],
        y: run?.values ?? [],
        xLabel: 'step',
        yLabel: 'loss',
      })
      return marksChart(marks, style)
    },
  },
  {
    file: 'marks',
    name: 'histogram of a cell',
    chart: async (source, style) => {
      const rows = await ablationRows(source, 'depths', 'test/accuracy')
      const marks = plot.histogram({
        title: 'plot.histogram',
        x: rows.map(({ value }) => value),
        bins: 12,
        xLabel: 'test/accuracy',
      })
      return marksChart(marks, style)
    },
  },
  {
    file: 'heatmap',
    name: 'matrix of a cell',
    chart: async (source, style) => {
      const runs = await curveRuns(source, 'mixing', 'validation/accuracy')
      const z = runs.map(({ values }) => values)
      return heatmapChart(plot.heatmap({ z, title: 'plot.heatmap', xLabel: 'evaluation' }), style)
    },
  },
]
