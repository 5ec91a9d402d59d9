import { describe, expect, it } from 'vitest'
import { type CurveOptions, type CurveRun, curves } from '../../../engine/charts/curves.ts'
import type { PlotlyTrace } from '../../../engine/charts/figure/figure.ts'
import { ACCURACY, LOSS } from '../../meanings.ts'
import { style } from './style.ts'

function run(variant: string, seed: number, values: number[], done = true): CurveRun {
  return { variant, seed, run: 10 * seed, done, values, steps: values.map((_, i) => i + 1) }
}

function draw(variants: string[], runs: CurveRun[], options: Partial<CurveOptions> = {}) {
  const chart = curves(runs, { metric: 'test/accuracy', variants, steps: 10, ...options }, style)
  return { ...chart, data: chart.figure.data as PlotlyTrace[], layout: chart.figure.layout }
}

const three = [run('a', 1, [1, 1]), run('a', 2, [2, 3]), run('a', 3, [3, 5])]

describe('curves', () => {
  it('draws the mean over complete runs in a band of one standard deviation', () => {
    const { data, note } = draw(['a'], three)
    expect(data.map((trace) => trace.y)).toEqual([
      [1, 1, 5, 3],
      [2, 3],
    ])
    expect(data[0]).toMatchObject({ x: [1, 2, 2, 1], fill: 'toself', fillcolor: 'rgba(1, 2, 3, 0.16)' })
    expect(data[1]).toMatchObject({ name: 'a', showlegend: true, line: { width: 2, color: 'rgb(1, 2, 3)' } })
    expect(note).toBe('Band: ± 1 standard deviation over seeds.')
  })

  it('draws the 95% interval of the mean', () => {
    const [band] = draw(['a'], three, { show: 'interval' }).data
    const half = (4.302652729749 * 1) / Math.sqrt(3)
    expect(band?.y[0]).toBeCloseTo(2 - half, 10)
    expect(band?.y.at(-1)).toBeCloseTo(2 + half, 10)
  })

  it('draws every seed, which leads to its run', () => {
    const { data, layout, note } = draw(['a'], three, { show: 'seeds' })
    expect(data.map((trace) => [trace.name, trace.meta?.run])).toEqual([
      ['a, seed 1', 10],
      ['a, seed 2', 20],
      ['a, seed 3', 30],
      ['a', undefined],
    ])
    expect(data[3]).toMatchObject({ x: [null], showlegend: true })
    expect(layout).toMatchObject({ hovermode: 'closest' })
    expect(note).toBeUndefined()
  })

  it('adds thin lines of the seeds while there are two', () => {
    const { data } = draw(['a'], [run('a', 1, [1]), run('a', 2, [3])])
    expect(data.filter((trace) => trace.name.startsWith('a, seed')).map((trace) => trace.y)).toEqual([[1], [3]])
  })

  it('draws a single complete run once, which leads to it', () => {
    const { data } = draw(['a'], [run('a', 1, [1, 2])])
    expect(data).toMatchObject([{ y: [1, 2], meta: { run: 10 } }])
  })

  it('keeps runs in training out of the mean', () => {
    const { data } = draw(['a'], [run('a', 1, [1, 2]), run('a', 2, [9], false)])
    expect(data.map((trace) => [trace.name, trace.y])).toEqual([
      ['a, seed 2', [9]],
      ['a', [1, 2]],
    ])
  })

  it('has every variant in the legend from the start, in its own look', () => {
    const legend = draw(['a', 'b', 'c'], [run('b', 1, [1])]).data.filter((trace) => trace.showlegend)
    expect(legend.map((trace) => [trace.name, trace.line.color, trace.line.dash])).toEqual([
      ['a', 'rgb(1, 2, 3)', 'solid'],
      ['b', 'rgb(4, 5, 6)', 'solid'],
      ['c', 'rgb(1, 2, 3)', 'dash'],
    ])
  })

  it('puts all bands below all lines', () => {
    const runs = ['a', 'b'].flatMap((variant) => [1, 2, 3].map((seed) => run(variant, seed, [seed, seed])))
    expect(draw(['a', 'b'], runs).data.map((trace) => trace.line.width)).toEqual([0, 0, 2, 2])
  })

  it('labels its axes and ends where the runs will end', () => {
    const { layout, rows, title } = draw(['a'], [])
    expect(layout).toMatchObject({
      xaxis: { title: { text: 'step' }, range: [0, 10] },
      yaxis: { title: { text: 'test/accuracy' }, showticklabels: false },
    })
    expect([title, rows]).toEqual(['test/accuracy over step', []])
  })

  it('shows values below zero', () => {
    const range = (values: number[]) => draw(['a'], [run('a', 1, values)]).layout.yaxis
    expect(range([-1, 2])).toMatchObject({ rangemode: 'normal' })
    expect(range([1, 2])).toMatchObject({ rangemode: 'nonnegative' })
  })

  it('goes over examples or time where these are known; a mean stands at the mean time of its step', () => {
    const timed = (seed: number, secondsPerStep: number | null) => ({ ...run('a', seed, [1, 2]), secondsPerStep })
    const runs = [timed(1, 2), timed(2, 4), timed(3, null)]
    const { data, layout, columns, rows } = draw(['a'], runs, { x: 'seconds' })
    expect(data.map((trace) => trace.x)).toEqual([
      [3, 6, 6, 3],
      [2, 4],
      [4, 8],
      [3, 6],
    ])
    expect(layout).toMatchObject({ xaxis: { title: { text: 'seconds of training' }, rangemode: 'tozero' } })
    expect(columns).toEqual(['variant', 'seed', 'run', 'step', 'seconds of training', 'value'])
    expect(rows[1]).toEqual(['a', 1, 10, 2, 4, 2])
    expect(rows).toHaveLength(4)
  })

  it('smooths on demand, says so, and keeps the points as they were in its table', () => {
    const { data, layout, note, columns, rows } = draw(['a'], [run('a', 1, [0, 1])], { smoothing: 0.5 })
    expect(data[0]?.y).toEqual([0, 2 / 3])
    expect(layout).toMatchObject({ yaxis: { title: { text: 'test/accuracy, smoothed by 0.5' } } })
    expect(note).toContain('Smoothed')
    expect(columns.slice(-2)).toEqual(['value', 'smoothed'])
    expect(rows[1]).toEqual(['a', 1, 10, 2, 1, 2 / 3])
  })

  it('has logarithmic axes on demand', () => {
    const { layout } = draw(['a'], [run('a', 1, [1, 2])], { logX: true, logY: true })
    expect(layout).toMatchObject({ xaxis: { type: 'log' }, yaxis: { type: 'log' } })
    expect(layout.xaxis).not.toHaveProperty('range')
  })

  it('leaves a gap where a value is not finite', () => {
    const { data, rows } = draw(['a'], [run('a', 1, [1, Number.NaN, 3], false)])
    expect(data[0]?.y).toEqual([1, null, 3])
    expect(rows[1]).toEqual(['a', 1, 10, 2, null])
  })

  it('keeps the axis and every zoom within what the metric can be', () => {
    const runs = [run('a', 1, [0.97, 1]), run('a', 2, [0.95, 1]), run('a', 3, [0.5, 0.9])]
    const yaxis = (options: Partial<CurveOptions>) => draw(['a'], runs, options).layout.yaxis
    expect(yaxis({ meaning: ACCURACY })).toMatchObject({ minallowed: 0, maxallowed: 1 })
    expect(yaxis({ meaning: ACCURACY, logY: true })).toMatchObject({ type: 'log', maxallowed: 0 })
    expect(yaxis({ meaning: ACCURACY, logY: true })).not.toHaveProperty('minallowed')
    expect(yaxis({ meaning: LOSS })).toMatchObject({ minallowed: 0, title: { text: 'test/accuracy, nats' } })
    expect(yaxis({ meaning: LOSS })).not.toHaveProperty('maxallowed')
    expect(yaxis({})).not.toHaveProperty('minallowed')
  })

  it('writes shares in percent, and names letter by letter', () => {
    const { data, layout } = draw(['a<b>'], [run('a<b>', 1, [0.5, 0.75])], { meaning: ACCURACY })
    expect(data[0]).toMatchObject({ name: 'a&lt;b>', hovertemplate: '%{y:.2%}' })
    expect(layout).toMatchObject({ yaxis: { tickformat: '~%' } })
  })
})
