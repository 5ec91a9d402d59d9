import { describe, expect, it } from 'vitest'
import { type CurveRun, curves } from '../../../renderer/charts/curves.ts'

const style = { series: ['rgb(1, 2, 3)', 'rgb(4, 5, 6)'], text: '', muted: '', grid: '', surface: '', font: '' }

function run(variant: string, seed: number, values: number[], done = true): CurveRun {
  return { variant, seed, done, values, steps: values.map((_, i) => i + 1) }
}
const draw = (variants: string[], runs: CurveRun[]) => curves('eval/accuracy', variants, runs, 10, style)

describe('curves', () => {
  it('draws the mean over complete runs with a band of one standard deviation', () => {
    const { data } = draw(['a'], [run('a', 1, [1, 1]), run('a', 2, [2, 3]), run('a', 3, [3, 5])])
    expect(data).toHaveLength(3)
    expect(data.map((trace) => trace.y)).toEqual([
      [1, 1],
      [3, 5],
      [2, 3],
    ])
    expect(data[1]).toMatchObject({ fill: 'tonexty', fillcolor: 'rgba(1, 2, 3, 0.16)' })
    expect(data[2]).toMatchObject({ name: 'a', showlegend: true, line: { width: 2, color: 'rgb(1, 2, 3)' } })
  })

  it('adds thin lines of the seeds while there are two', () => {
    const { data } = draw(['a'], [run('a', 1, [1]), run('a', 2, [3])])
    expect(data.filter((trace) => trace.name.startsWith('a, seed')).map((trace) => trace.y)).toEqual([[1], [3]])
  })

  it('draws a single complete run once', () => {
    expect(draw(['a'], [run('a', 1, [1, 2])]).data.map((trace) => trace.y)).toEqual([[1, 2]])
  })

  it('keeps runs in training out of the mean', () => {
    const { data } = draw(['a'], [run('a', 1, [1, 2]), run('a', 2, [9], false)])
    expect(data.map((trace) => [trace.name, trace.y])).toEqual([
      ['a, seed 2', [9]],
      ['a', [1, 2]],
    ])
  })

  it('has every variant in the legend from the start, in its own colour', () => {
    const legend = draw(['a', 'b', 'c'], [run('b', 1, [1])]).data.filter((trace) => trace.showlegend)
    expect(legend.map((trace) => [trace.name, trace.line.color, trace.line.dash])).toEqual([
      ['a', 'rgb(1, 2, 3)', 'solid'],
      ['b', 'rgb(4, 5, 6)', 'solid'],
      ['c', 'rgb(1, 2, 3)', 'dash'],
    ])
  })

  it('puts all bands below all lines', () => {
    const runs = ['a', 'b'].flatMap((variant) => [1, 2, 3].map((seed) => run(variant, seed, [seed, seed])))
    expect(draw(['a', 'b'], runs).data.map((trace) => trace.line.width)).toEqual([0, 0, 0, 0, 2, 2])
  })

  it('labels its axes and ends where the runs will end', () => {
    const { layout } = draw(['a'], [])
    expect(layout).toMatchObject({
      xaxis: { title: { text: 'step' }, range: [0, 10] },
      yaxis: { title: { text: 'eval/accuracy' }, showticklabels: false },
    })
  })

  it('shows values below zero', () => {
    const range = (values: number[]) => draw(['a'], [run('a', 1, values)]).layout.yaxis
    expect(range([-1, 2])).toMatchObject({ rangemode: 'normal' })
    expect(range([1, 2])).toMatchObject({ rangemode: 'nonnegative' })
  })
})
