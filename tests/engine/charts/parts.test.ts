import { describe, expect, it } from 'vitest'
import { labelOf } from '../../../engine/charts/figure/chart.ts'
import { lookOf, ramp } from '../../../engine/charts/figure/palette.ts'
import { logAxis, roundTicks } from '../../../engine/charts/figure/ticks.ts'
import { formatOf, plotlyText } from '../../../engine/charts/figure/words.ts'
import { smooth } from '../../../engine/charts/smooth.ts'
import { estimate } from '../../../engine/charts/spread.ts'
import { runOf, zoomOf } from '../../../renderer/charts/events.ts'
import { ACCURACY, LOSS } from '../../meanings.ts'
import { style } from './style.ts'

describe('smooth', () => {
  it('is a moving average without bias to 0, and passes over what is not finite', () => {
    expect(smooth([2, 2, 2], 0.9).map((value) => expect.closeTo(value))).toEqual(
      [2, 2, 2].map((v) => expect.closeTo(v)),
    )
    expect(smooth([4, Number.NaN, 1], 0.5)).toEqual([4, Number.NaN, 2])
    expect(smooth([], 0.5)).toEqual([])
  })
})

describe('estimate', () => {
  it('has the interval of the mean by t', () => {
    const half = (12.7062 * Math.SQRT2) / Math.sqrt(2) // qt(0.975, 1)
    expect(estimate([1, 3], 'interval')).toMatchObject({ mean: 2, n: 2, half: expect.closeTo(half, 3) })
  })

  it('has no whisker for one value, and is null for none that is finite', () => {
    expect(estimate([2], 'interval')).toEqual({ mean: 2, sd: null, n: 1, half: 0 })
    expect(estimate([1, 3, Number.NaN], 'sd')).toMatchObject({ mean: 2, n: 2, half: Math.SQRT2 })
    expect(estimate([Number.NaN], 'sd')).toBeNull()
  })
})

describe('looks', () => {
  it('change the dash and the symbol where colours begin again', () => {
    expect([0, 1, 2, 7].map((index) => Object.values(lookOf(index, style)))).toEqual([
      ['rgb(1, 2, 3)', 'solid', 'circle'],
      ['rgb(4, 5, 6)', 'solid', 'circle'],
      ['rgb(1, 2, 3)', 'dash', 'square'],
      ['rgb(4, 5, 6)', 'dashdot', 'triangle-up'],
    ])
  })

  it('have a ramp between the first two colours', () => {
    expect(ramp(3, { ...style, muted: 'rgb(9, 9, 9)' })).toEqual(['rgb(1, 2, 3)', 'rgb(9, 9, 9)', 'rgb(4, 5, 6)'])
  })
})

describe('runOf', () => {
  const at = (y: number, more: object) => ({ y, data: {}, yaxis: { d2p: Number, _offset: 10 }, ...more })

  it('takes the point nearest to the pointer, by its own run or that of its line', () => {
    const points = [at(0, { customdata: 1 }), at(50, { data: { meta: { run: 2 } } })]
    expect([runOf(points, 12), runOf(points, 61)]).toEqual([1, 2])
  })

  it('is null where a point belongs to no single run', () => {
    expect([runOf([], 0), runOf([at(1, { customdata: null })], 0), runOf([at(1, {})], 0)]).toEqual([null, null, null])
  })
})

describe('zoomOf', () => {
  it('is the part of the x axis that is shown, in its units', () => {
    const log = { xaxis2: { type: 'log' } } as const
    expect(zoomOf({ 'xaxis.range[0]': 1, 'xaxis.range[1]': 2 }, log)).toEqual([1, 2])
    expect(zoomOf({ 'xaxis2.range[0]': 1, 'xaxis2.range[1]': 2 }, log)).toEqual([10, 100])
    expect(zoomOf({ 'xaxis.range': [3, 4] }, log)).toEqual([3, 4])
  })

  it('is null for all of it, and undefined for other changes', () => {
    expect(zoomOf({ 'xaxis.autorange': true, 'yaxis.autorange': true }, {})).toBeNull()
    expect(zoomOf({ 'yaxis.range[0]': 1, width: 3 }, {})).toBeUndefined()
  })
})

describe('ticks', () => {
  it('stand at round numbers', () => {
    expect(roundTicks(0.09, 0.95, 5)).toEqual([0.2, 0.4, 0.6, 0.8])
    expect(roundTicks(3, 3, 5)).toEqual([3])
  })

  it('of a logarithmic axis suit its width', () => {
    expect(logAxis([1, 50])).toMatchObject({ type: 'log', dtick: 'D2' })
    expect(logAxis([1, 1e6])).toMatchObject({ dtick: 1, tickformat: '~s' })
    expect(logAxis([0.5, 2.5])).toMatchObject({ dtick: 'L0.5', tickformat: '~g' })
    expect([logAxis([]), logAxis([3]), logAxis([0, -1])]).toMatchObject([{ dtick: 'D2' }, { dtick: 'D2' }, {}])
  })
})

describe('words', () => {
  it('are percent for shares, short for large numbers, and plain for Plotly', () => {
    expect(formatOf(ACCURACY, [0.5, 1])).toEqual({ ticks: '~%', value: '.2%' })
    expect(formatOf(undefined, [0.5]).ticks).toBe('~g')
    expect(formatOf(LOSS, [0.5, Number.NaN]).ticks).toBe('~g')
    expect(formatOf({}, [20_000]).ticks).toBe('~s')
    expect(plotlyText('a<b>&%{x}')).toBe('a&lt;b>&amp;%&#123;x}')
  })

  it('name a chart by what it compares', () => {
    const chart = { title: 'loss', figure: { data: [], layout: {} }, columns: ['variant'], rows: [['a'], ['b'], ['a']] }
    expect(labelOf(chart)).toBe('loss; variant: a, b')
    expect(labelOf({ ...chart, rows: [] })).toBe('loss: nothing to draw yet')
    const many = Array.from({ length: 9 }, (_, i) => [`v${i}`])
    expect(labelOf({ ...chart, rows: many })).toBe('loss; variant: 9 of them')
  })
})
