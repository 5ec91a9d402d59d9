import { heatmapChart } from '../../../engine/charts/heatmap.ts'
import { marksChart } from '../../../engine/charts/marks.ts'
import { plot } from '../../../engine/display/plot.ts'
import { type Entry, entry } from '../entry.ts'
import { ablationRows, curveRuns } from './runs.ts'

/** What cells draw by `plot`. */
export const display: Entry[] = [
  entry('marks', 'lines of a cell', async (source, style) => {
    const [run] = await curveRuns(source, 'mixing', 'train/loss')
    const { steps: x = [], values: y = [] } = run ?? {}
    return marksChart(plot.line({ title: 'plot.line', x, y, xLabel: 'step', yLabel: 'loss' }), style)
  }),
  entry('marks', 'histogram of a cell', async (source, style) => {
    const rows = await ablationRows(source, 'depths', 'test/accuracy')
    const x = rows.map(({ value }) => value)
    return marksChart(plot.histogram({ title: 'plot.histogram', x, bins: 12, xLabel: 'test/accuracy' }), style)
  }),
  entry('heatmap', 'matrix of a cell', async (source, style) => {
    const z = (await curveRuns(source, 'mixing', 'validation/accuracy')).map(({ values }) => values)
    return heatmapChart(plot.heatmap({ z, title: 'plot.heatmap', xLabel: 'evaluation' }), style)
  }),
]
