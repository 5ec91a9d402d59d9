import { describe, expect, it } from 'vitest'
import { type AblationOptions, type AblationRow, ablation } from '../../../engine/charts/ablation.ts'
import { style } from './style.ts'

const METRIC = 'test/accuracy'
const row = (variant: string, seed: number, value: number): AblationRow => ({ variant, seed, run: 10 * seed, value })
const rows = [row('a', 2, 0.7), row('a', 1, 0.5), row('b', 1, 0.9)]

function draw(given: AblationRow[], options: Partial<AblationOptions> = {}) {
  return ablation(given, { metric: METRIC, variants: ['a', 'b'], ...options }, style)
}

describe('ablation', () => {
  it('has a dot per seed, which leads to its run, and the mean with whiskers', () => {
    const { figure, columns, rows: table, note, height } = draw(rows)
    const [seeds, mean, only, onlyMean] = figure.data
    expect(figure.data).toHaveLength(4)
    expect(seeds).toMatchObject({ y: [0.5, 0.7], customdata: [10, 20], text: ['a, seed 1', 'a, seed 2'] })
    expect(mean).toMatchObject({ y: [expect.closeTo(0.6)], customdata: [null] })
    expect(mean).toMatchObject({ error_y: { array: [expect.closeTo(Math.SQRT2 / 10)] } })
    expect(only).toMatchObject({ y: [0.9] })
    expect(onlyMean).toMatchObject({ customdata: [10], error_y: { array: [null] } })
    expect(columns).toEqual(['variant', 'seed', 'run', METRIC, 'mean', 'sd', 'n'])
    expect(table[0]).toEqual(['a', 1, 10, 0.5, expect.closeTo(0.6), expect.closeTo(0.1414), 2])
    expect(note).toBe('Diamonds: mean; whiskers: ± 1 standard deviation over seeds.')
    expect(height).toBeUndefined()
  })

  it('does not begin at 0, but its bars do', () => {
    expect(draw(rows).figure.layout.yaxis).not.toHaveProperty('rangemode')
    const bars = draw(rows, { mark: 'bars' })
    expect(bars.figure.layout).toMatchObject({ yaxis: { rangemode: 'tozero' } })
    expect(bars.figure.data[0]).toMatchObject({ type: 'bar', x: [0], y: [expect.closeTo(0.6)] })
  })

  it('has a line at the mean of the baseline', () => {
    const { figure, note } = draw(rows, { baseline: 'b' })
    expect(figure.layout.shapes).toMatchObject([{ type: 'line', y0: 0.9, y1: 0.9, xref: 'paper' }])
    expect(note).toContain('Dashed: mean of b.')
    expect(draw(rows, { baseline: 'c' }).figure.layout).not.toHaveProperty('shapes')
  })

  it('lies where there are many variants or long names', () => {
    const variants = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const { figure, height } = draw(rows, { variants, baseline: 'b', mark: 'bars' })
    expect(height).toBeGreaterThan(variants.length * 20)
    expect(figure.data[0]).toMatchObject({ type: 'bar', orientation: 'h', y: [0], x: [expect.closeTo(0.6)] })
    expect(figure.data[2]).toMatchObject({ error_x: { type: 'data' }, hovertemplate: expect.stringContaining('%{x:') })
    expect(figure.data[2]).not.toHaveProperty('error_y')
    expect(figure.layout).toMatchObject({ yaxis: { ticktext: variants, range: [6.6, -0.6] }, shapes: [{ x0: 0.9 }] })
    expect(draw([], { variants: ['a rather long name'] }).height).toBeGreaterThan(0)
  })

  it('draws nothing for a variant without finite values', () => {
    const { figure, rows: table, note } = draw([row('a', 1, Number.NaN)])
    expect(figure.data).toEqual([])
    expect(figure.layout).toMatchObject({ xaxis: { ticktext: ['a', 'b'] } })
    expect([table, note]).toEqual([[], undefined])
  })
})
