import { expect, it } from 'vitest'
import type { Store } from '../../../../app/store/index.ts'
import { shownCharts } from '../../../../engine/charts/shown.ts'
import { closeFigure, type OpenFigureHost } from '../../../../engine/charts/stored/ofCell.ts'
import { plot } from '../../../../engine/display/plot.ts'
import { readOutput } from '../../../../engine/report/output.ts'
import { addRun } from '../../../app/store/runs/samples.ts'
import { freshFolder, storeAt } from '../../../app/store/samples.ts'
import { style } from '../style.ts'

const LOSS = 'validation/loss'

/** Three studies, the second with a run in training, the third with one that has no value. */
function withRuns(test: (host: OpenFigureHost) => Promise<void>) {
  return async () => {
    const store: Store = storeAt(freshFolder())
    const run = (variant: string, seed: number, losses: number[], learningRate = 1e-3) =>
      addRun(store, {
        study: 'gating',
        variant,
        seed,
        learningRate,
        metrics: { [LOSS]: losses, 'test/accuracy': [0.5 + 0.1 * seed] },
      })
    run('gmlp', 1, [4, 2, 1])
    run('gmlp', 2, [2, 4, 3], 1e-2)
    run('mixer', 1, [5, 5, 5])
    addRun(store, { study: 'depth', variant: 'deep', metrics: { [LOSS]: [7] } })
    addRun(store, { study: 'depth', variant: 'deep', seed: 2, metrics: { [LOSS]: [9] }, status: 'running' })
    for (const seed of [10, 2, 1])
      addRun(store, { study: 'seeds', seed, metrics: seed > 1 ? { 'train/loss': [seed, 1] } : {} })
    const { readCurves, queryRuns, runFields } = store
    await test({
      readCurves: async (asked) => readCurves(asked),
      queryRuns: async (asked) => queryRuns(asked),
      runFields: async () => runFields(),
    }).finally(() => store.close())
  }
}

it(
  'draws the runs that pass a filter over training: the mean of each variant in a band',
  withRuns(async (host) => {
    const figure = await closeFigure(plot.runs({ filter: 'study:gating', y: LOSS }), host)
    expect(figure).toEqual({
      ...{ type: 'marks', mark: 'line', barWidth: null, title: `${LOSS} over step`, xLabel: 'step', yLabel: LOSS },
      series: [
        {
          ...{ name: 'gmlp', x: [10, 20, 30], y: [3, 3, 2], place: 0 },
          band: {
            low: [3 - Math.SQRT2, 3 - Math.SQRT2, 2 - Math.SQRT2],
            high: [3 + Math.SQRT2, 3 + Math.SQRT2, 2 + Math.SQRT2],
          },
        },
        { name: 'mixer', x: [10, 20, 30], y: [5, 5, 5], place: 1 },
      ],
      note: 'Band: ± 1 standard deviation over runs.',
    })
    const every = await closeFigure(plot.runs({ y: LOSS, color: ['study', 'seed'], title: 'All' }), host)
    expect(every).toMatchObject({
      title: 'All',
      series: [{ name: 'depth, 1' }, { name: 'gating, 1' }, { name: 'gating, 2' }],
      note: expect.stringContaining('1 run in training left out.'),
    })
  }),
)

it(
  'says shares in percent, and has groups in the order of the wall, which gives them their colours',
  withRuns(async (host) => {
    const asked = plot.runs({ filter: 'study:gating', y: 'test/accuracy', x: 'lr', color: 'lr' })
    const figure = await closeFigure(asked, host)
    expect(figure).toMatchObject({ share: true, series: [{ name: '0.001' }, { name: '0.01' }] })
    const [chart] = shownCharts(figure, style)
    expect(chart?.figure.layout.yaxis).toMatchObject({ tickformat: '~%' })
    expect(await closeFigure(plot.runs({ y: LOSS }), host)).not.toHaveProperty('share')
  }),
)

it(
  'gives a group its colour by its place among all groups, those without a value here, too, numbers by their size',
  withRuns(async (host) => {
    for (const way of [{ over: 'step' }, { x: 'lr' }] as const) {
      const asked = plot.runs({ filter: 'study:seeds', y: 'train/loss', color: 'seed', ...way })
      const figure = await closeFigure(asked, host)
      expect(figure).toMatchObject({
        series: [
          { name: '2', place: 1 },
          { name: '10', place: 2 },
        ],
      })
      const [chart] = shownCharts(figure, style)
      const colors = chart?.figure.data.map((trace) => 'marker' in trace && trace.marker?.color)
      expect(colors).toEqual([style.series[1], style.series[0]]) // of two, the third is the first again
    }
  }),
)

it(
  'draws a run a dot against a column',
  withRuns(async (host) => {
    const asked = plot.runs({ filter: 'study:gating', y: `best:${LOSS}`, x: 'lr', color: [], yLabel: 'loss' })
    expect(await closeFigure(asked, host)).toMatchObject({
      ...{ mark: 'scatter', xLabel: 'lr', yLabel: 'loss', title: `best:${LOSS} against lr`, note: null },
      series: [{ name: '', x: [1e-3, 1e-2, 1e-3], y: [5, 2, 1] }],
    })
  }),
)

it(
  'puts runs beside what the cell has drawn, for the page, reports and files alike',
  withRuns(async (host) => {
    const own = plot.line([1, 2])
    const sheet = plot.panels([
      own,
      plot.runs({ filter: 'study:gating', y: LOSS }),
      plot.runs({ y: LOSS, over: 'time' }),
    ])
    const body = await closeFigure(sheet, host)
    expect(body).toMatchObject({ type: 'panels', columns: 2, panels: [own, { mark: 'line' }, { mark: 'line' }] })
    const kept = readOutput({ displays: [{ kind: 'panels', text: '', body: JSON.parse(JSON.stringify(body)) }] })
    expect(kept?.displays[0]?.body).toEqual(body)
    const [, curves] = shownCharts(body, style)
    expect(curves?.columns).toEqual(['series', 'step', LOSS, 'low', 'high'])
    expect(curves?.figure.data.map((trace) => ('fill' in trace ? 'band' : trace.type))).toEqual([
      'band',
      'scatter',
      'scatter',
    ])
  }),
)

it(
  'says what names no column, what is no metric, and where nothing passes the filter',
  withRuns(async (host) => {
    const said = (asked: Parameters<typeof plot.runs>[0]) => closeFigure(plot.runs(asked), host)
    await expect(said({ y: 'validation/los' })).rejects.toThrow("did you mean 'validation/loss'")
    await expect(said({ y: LOSS, x: 'parameter' })).rejects.toThrow("did you mean 'parameters'")
    await expect(said({ y: 'lr' })).rejects.toThrow("plot.runs.y: 'lr' is no metric; with an x it is drawn")
    await expect(said({ filter: 'study:none', y: LOSS })).rejects.toThrow('no complete run with validation/loss passes')
  }),
)
