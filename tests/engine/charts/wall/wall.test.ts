import { describe, expect, it } from 'vitest'
import { drawSheet } from '../../../../engine/charts/drawing/sheet.ts'
import type { Chart } from '../../../../engine/charts/figure/chart.ts'
import type { PlotlyTrace } from '../../../../engine/charts/figure/figure.ts'
import { columnScatter } from '../../../../engine/charts/wall/columnScatter.ts'
import { groupCurves } from '../../../../engine/charts/wall/groupCurves.ts'
import type { GroupedRun } from '../../../../engine/charts/wall/groups.ts'
import { groupValues } from '../../../../engine/charts/wall/groupValues.ts'
import { tellingOptions } from '../../../../engine/charts/wall/tellingOptions.ts'
import type { CurveGroup, CurveLine, RunCurves } from '../../../../engine/runs/curves.ts'
import { ACCURACY, LOSS } from '../../../meanings.ts'
import { style } from '../style.ts'

/** How many bands a chart has where it is drawn for paper. */
function sheetAreas(chart: Chart): number {
  const { shapes } = drawSheet([chart], { width: 240, font: 8 })
  return JSON.stringify(shapes).split('"kind":"area"').length - 1
}

const looks = { placeOf: (name: string) => name.charCodeAt(0) - 97, hidden: new Set<string>() }

function group(name: string, n: number[], run: number | null = null): CurveGroup {
  const x = n.map((_, i) => i + 1)
  return { name, runs: Math.max(...n), run, x, mean: x, sd: x.map(() => 1), min: x, max: x, n }
}

const line: CurveLine = {
  ...{ run: 7, study: 's', variant: 'v', seed: 1, group: 'a', x: [1, 2, 3] },
  ...{ status: 'done', values: [1, Number.NaN, 2] },
}

function curves(changes: Partial<RunCurves>): RunCurves {
  return { groups: [], lines: [], groupsLeft: 0, runsLeft: 0, lacking: 0, unplaced: 0, ...changes }
}

const draw = (given: RunCurves, changes = {}) =>
  groupCurves(given, { metric: 'loss', meaning: LOSS, x: 'step', band: 'sd', ...looks, ...changes }, style)

function row(run: number, name: string, values: GroupedRun['values']): GroupedRun {
  return { run, study: 's', variant: 'v', seed: run, status: 'done', group: name, values }
}

describe('groupCurves', () => {
  it('draws a band and a mean of each group, fainter where few of its runs are left, and picked runs on top', () => {
    const { figure, note } = draw(curves({ groups: [group('a', [4, 4, 1])], lines: [line] }))
    const [band, whole, faint, picked] = figure.data as PlotlyTrace[]
    expect(band).toMatchObject({ fill: 'toself', x: [1, 2, 2, 1], y: [0, 1, 3, 2] })
    expect([whole?.y, faint?.y, faint?.opacity]).toEqual([[1, 2, null], [null, 2, 3], 0.4])
    expect(whole).toMatchObject({ text: ['a, mean of 4 runs', 'a, mean of 4 runs', 'a, mean of 1 run'] })
    expect(picked).toMatchObject({ y: [1, null, 2], meta: { run: 7 }, line: { color: style.text } })
    expect(note).toContain('Fainter: fewer than half')
  })

  it('draws the bands of many groups as one area of each colour, with gaps, which leave nothing between them on paper', () => {
    const many = Array.from({ length: 10 }, (_, i) => group(String.fromCharCode(97 + i), [2, 2]))
    const { figure } = draw(curves({ groups: many }))
    const bands = (figure.data as PlotlyTrace[]).filter(({ fill }) => fill)
    expect(bands.map(({ x }) => x.filter((each) => each === null).length)).toEqual([4, 4])
    const areas = sheetAreas(draw(curves({ groups: many })))
    expect(areas).toBe(10)
    expect(
      draw(curves({ groups: [group('b', [2]), group('a', [2])] })).figure.data.map(({ legendgroup }) => legendgroup),
    ).toEqual(['a', 'b'])
  })

  it('leads to the run of a group that has one, and hides groups with their runs in training', () => {
    const running: CurveLine = { ...line, status: 'running', group: 'b' }
    const given = curves({ groups: [group('a', [1, 1], 3), group('b', [2, 2])], lines: [running, line] })
    expect(draw(given).figure.data.filter(({ meta }) => meta?.run === 3)).toHaveLength(1)
    const { data } = draw(given, { hidden: new Set(['b']) }).figure
    expect(data.map((trace) => trace.legendgroup)).toEqual(['a', 'run 7'])
  })

  it('smooths, draws other bands, and says what is missing', () => {
    const given = curves({ groups: [group('a', [2, 2])], groupsLeft: 3, lacking: 1, unplaced: 2, runsLeft: 1000 })
    const { figure, note } = draw(given, { smoothing: 0.5, band: 'none', logX: true, logY: true, x: 'epochs' })
    expect(figure.data).toHaveLength(1)
    expect(figure.layout).toMatchObject({ xaxis: { type: 'log' }, yaxis: { type: 'log' } })
    expect(note).toBe(
      'Smoothed: moving average with 0.5 of the past. 1 run without loss. 2 runs without known epochs. The 1 groups with the most runs, of 4. 1,000 runs before them left out.',
    )
    expect(draw(curves({})).rows).toEqual([])
  })
})

describe('groupValues', () => {
  const rows = [
    row(1, 'a', { acc: 0.5 }),
    row(2, 'a', { acc: 0.7 }),
    row(3, 'b', { acc: 0.9 }),
    row(4, 'c', { acc: Number.NaN }),
  ]

  it('has the best group on top, says what there was no room for, and what has no value', () => {
    const chart = groupValues(rows, { metric: 'acc', meaning: ACCURACY, most: 1, ...looks }, style)
    expect(chart.figure.layout).toMatchObject({ yaxis: { ticktext: ['b'] } })
    expect(chart.rows.map(([name, run]) => [name, run])).toEqual([
      ['b', 3],
      ['a', 1],
      ['a', 2],
    ])
    expect(chart.note).toBe('The best 1 of 2 groups. 1 run without acc.')
    const lower = groupValues(rows, { metric: 'acc', meaning: LOSS, ...looks }, style)
    expect(lower.figure.layout).toMatchObject({ yaxis: { ticktext: ['a', 'b'] } })
    expect(lower.figure.data[0]).toMatchObject({ customdata: [1, 2], x: [0.5, 0.7] })
  })

  it('draws nothing of nothing', () => {
    expect(groupValues([], { metric: 'acc', ...looks }, style).figure.data).toEqual([])
  })
})

it('columnScatter draws a dot a run that has both numbers', () => {
  const rows = [row(1, 'a', { acc: 0.5, n: 3 }), row(2, 'b', { acc: 0.7, n: null }), row(3, 'b', { acc: 0.6, n: 4 })]
  const chart = columnScatter(rows, { metric: 'acc', x: 'n', logX: true, ...looks }, style)
  expect(chart.figure.data).toMatchObject([
    { x: [3], y: [0.5], customdata: [1] },
    { x: [4], customdata: [3] },
  ])
  expect([chart.title, chart.note]).toEqual(['acc against n', '1 run without acc or n.'])
})

it('tellingOptions are those that all have, that can be read, and that tell runs apart in their own way', () => {
  const values = (batch: number, steps: number, hash: string) => ({ batch, steps, hash, same: 1, double: 2 * batch })
  const rows = [
    row(1, 'a', values(1, 5, 'h'.repeat(64))),
    row(2, 'a', values(2, 5, 'i'.repeat(64))),
    row(3, 'a', values(2, 6, '')),
  ]
  expect(tellingOptions(rows, ['batch', 'steps', 'hash', 'same', 'double', 'none'])).toEqual(['batch', 'steps'])
})
