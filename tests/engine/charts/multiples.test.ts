import { describe, expect, it } from 'vitest'
import { panels } from '../../../engine/charts/figure/panels.ts'
import { multiples } from '../../../engine/charts/multiples.ts'
import type { SeriesBand } from '../../../engine/records/series.ts'
import { MEANINGS } from '../../meanings.ts'
import { style } from './style.ts'

const band = (group: string, metric: string, n = 4): SeriesBand => ({
  ...{ group, metric, steps: [0, 10], mean: [0.5, 0.25], sd: n > 1 ? [0.1, 0.2] : [null, null] },
  ...{ min: [0.4, 0], max: [0.6, 0.5], n: [n, n] },
})
const metrics = ['test/accuracy', 'test/loss']
const rows = [band('a', 'test/accuracy'), band('b', 'test/accuracy', 1), band('a', 'test/loss')]

describe('multiples', () => {
  it('has a panel per metric with the band and the mean of each group, under one legend', () => {
    const { figure, title, note } = multiples(rows, { metrics, meanings: MEANINGS, groups: ['a', 'b'] }, style)
    const kinds = figure.data.map((trace) => [
      trace.xaxis,
      trace.legendgroup,
      trace.type === 'scatter' && 'fill' in trace,
    ])
    expect(kinds).toEqual([
      ['x', 'a', true],
      ['x2', 'a', true],
      ['x', 'a', false],
      ['x', 'b', false],
      ['x2', 'a', false],
    ])
    const legend = figure.data.filter((trace) => 'showlegend' in trace && trace.showlegend)
    expect(legend.map((trace) => 'name' in trace && trace.name)).toEqual(['a', 'b'])
    expect(figure.data[0]).toMatchObject({ y: [0.4, 0.05, 0.45, 0.6].map((value) => expect.closeTo(value)) })
    expect(figure.layout).toMatchObject({
      xaxis2: { matches: 'x' },
      yaxis: { tickformat: '~%', minallowed: 0, maxallowed: 1 },
      yaxis2: { tickformat: '~g', minallowed: 0 },
      annotations: ['test/accuracy', 'test/loss, nats'].map((text) => ({ text })),
    })
    expect(title).toBe('2 metrics over step')
    expect(note).toBe('Band: ± 1 standard deviation over seeds.')
  })

  it('shows intervals or the range of the runs', () => {
    const y = (show: 'interval' | 'range') => multiples(rows, { metrics, groups: ['a'], show }, style).figure.data[0]
    expect(y('range')).toMatchObject({ y: [0.4, 0, 0.5, 0.6] })
    expect(y('interval')).toMatchObject({ y: expect.arrayContaining([expect.closeTo(0.5 - (3.18245 * 0.1) / 2)]) })
  })

  it('draws the means alone where there are too many groups for bands', () => {
    const groups = [...'abcdefghi']
    const many = groups.map((group) => band(group, 'test/loss'))
    const { figure, note } = multiples(many, { metrics: ['test/loss'], groups }, style)
    expect(figure.data.map((trace) => 'fill' in trace)).toEqual(groups.map(() => false))
    expect(note).toBe('Means alone; bands are drawn for up to 8 groups.')
  })

  it('has a row per step', () => {
    const { columns, rows: table, note } = multiples(rows, { metrics, groups: ['b'] }, style)
    expect(columns).toEqual(['group', 'metric', 'step', 'mean', 'sd', 'min', 'max', 'n'])
    expect(note).toBeUndefined() // one run has no band
    expect(table).toEqual([
      ['b', 'test/accuracy', 0, 0.5, null, 0.4, 0.6, 1],
      ['b', 'test/accuracy', 10, 0.25, null, 0, 0.5, 1],
    ])
  })

  it('leaves panels empty without values, and gaps where they are not finite', () => {
    expect(multiples([], { metrics, groups: ['a'] }, style)).toMatchObject({ figure: { data: [] }, rows: [] })
    const broken = { ...band('a', 'test/loss', 1), mean: [Number.NaN, 1] }
    expect(multiples([broken], { metrics, groups: ['a'] }, style).figure.data).toMatchObject([{ y: [null, 1] }])
  })
})

describe('panels', () => {
  it('fills rows from the left, with ticks of the step below the last of each column alone', () => {
    const { layout, axes, height } = panels({ titles: ['a', 'b', 'c'], xLabel: 'step', columns: 2 }, style)
    expect(axes[2]).toEqual({ xaxis: 'x3', yaxis: 'y3' })
    const axis = (name: string) =>
      layout[name as `xaxis${string}`] as { domain: [number, number]; title: { text: string } }
    expect([axis('xaxis').domain[0], axis('xaxis2').domain[1], axis('xaxis3').domain[0]]).toEqual([
      0,
      expect.closeTo(1),
      0,
    ])
    expect(axis('yaxis').domain[0]).toBeGreaterThan(axis('yaxis3').domain[1])
    expect(axis('yaxis3').domain[0]).toBeCloseTo(0)
    expect(['xaxis', 'xaxis2', 'xaxis3'].map((name) => axis(name).title.text)).toEqual(['', 'step', 'step'])
    expect(height).toBeGreaterThan(panels({ titles: ['a', 'b'], xLabel: 'step', columns: 2 }, style).height)
  })
})
