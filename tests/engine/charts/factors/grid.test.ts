import { describe, expect, it } from 'vitest'
import { type FactorGridOptions, factorGrid } from '../../../../engine/charts/factors/grid.ts'
import type { FactorRow } from '../../../../engine/charts/factors/rows.ts'
import type { HeatmapTrace } from '../../../../engine/charts/figure/figure.ts'
import { channelsOf } from '../../../../engine/charts/figure/palette.ts'
import { ACCURACY, LOSS } from '../../../meanings.ts'
import { style } from '../style.ts'
import { FACTORS, row, rows } from './rows.ts'

const METRIC = 'test/accuracy'

function draw(given: FactorRow[], options: Partial<FactorGridOptions> = {}) {
  const base = { metric: METRIC, meaning: ACCURACY, factors: FACTORS, x: 'lr', y: 'gate' }
  const chart = factorGrid(given, { ...base, ...options }, style)
  return { ...chart, map: chart.figure.data[0] as HeatmapTrace }
}

describe('the heat map of two factors', () => {
  it('has the means, with the number of seeds and their deviation under the pointer', () => {
    const { title, map, figure, note, columns, rows: table, height } = draw(rows)
    expect(title).toBe('test/accuracy by lr, gate')
    expect(map.z.flat()).toEqual([0.015, 0.115, 0.215, 0.515, 0.615, 0.715].map((value) => expect.closeTo(value)))
    expect(map.text?.[0]).toEqual(['1.50%', '11.50%', '21.50%'])
    expect(map.hovertext?.[1]?.[0]).toBe('gate split, lr 0.003: 51.50%, mean of 2 seeds, sd 0.71%')
    expect(figure.layout).toMatchObject({
      xaxis: { ticktext: ['0.003', '0.001', '0.01'] },
      yaxis: { ticktext: ['linear', 'split'], range: [1.5, -0.5] },
      annotations: [],
    })
    expect(columns).toEqual(['gate', 'lr', METRIC, 'sd', 'n'])
    expect(table[3]).toEqual(['split', 0.003, expect.closeTo(0.515), expect.closeTo(0.00707), 2])
    expect(note).toBe('Means over seeds. The stronger the colour, the better (higher).')
    expect(height).toBeGreaterThan(80)
  })

  it('is strongest in colour where the metric is best', () => {
    const distance = (colour: string) => channelsOf(colour).reduce((sum, channel) => sum + 255 - channel, 0)
    const strengths = ({ map }: ReturnType<typeof draw>) =>
      (map.colorscale as [number, string][]).map(([, colour]) => distance(colour))
    const [low = 0, high = 0] = strengths(draw(rows))
    expect(low).toBeGreaterThan(0) // the ground is left to gaps
    expect(high).toBeGreaterThan(low)
    expect(strengths(draw(rows, { meaning: LOSS }))).toEqual([high, low])
    expect(draw(rows, { meaning: LOSS }).note).toContain('the better (lower).')
    expect(draw(rows, { meaning: {} }).note).toContain('the higher.')
  })

  it('leaves cells without a complete run empty', () => {
    const lost = [...rows.filter(({ levels }) => levels.lr !== 0.001), row(0.001, 'split', 1, null)]
    const { map, figure, note, rows: table } = draw(lost)
    expect(map.z.map((line) => line[1])).toEqual([null, null])
    expect(map.hovertext?.[1]?.[1]).toBe('gate split, lr 0.001: nothing yet')
    expect(figure.layout.annotations).toMatchObject([
      { x: 1, y: 0, text: '–' },
      { x: 1, y: 1, text: '–' },
    ])
    expect(table[1]).toEqual(['linear', 0.001, null, null, 0])
    expect(note).toContain('1 of 9 runs left out: not complete, or without a value. Nothing yet at lr 0.001.')
  })

  it('draws one run, and none', () => {
    const { map } = draw([row(0.01, 'split', 3, 0.5)])
    expect(map).toMatchObject({ showscale: false })
    expect(map.hovertext?.[1]?.[2]).toBe('gate split, lr 0.01: 50.00%, seed 3')
    expect(draw([]).rows).toEqual([])
  })

  it('averages over other factors, and says so', () => {
    const factors = [...FACTORS, { name: 'depth', levels: [1, 2] }]
    const deep = rows.flatMap((each) =>
      [1, 2].map((depth) => ({ ...each, levels: { ...each.levels, depth }, value: (each.value ?? 0) + depth / 10 })),
    )
    const { map, note } = draw(deep, { factors })
    expect(map.z[0]?.[0]).toBeCloseTo(0.165)
    expect(note).toContain('Averaged over depth, for seeds whose 2 runs are complete.')
  })

  it('does not write into many columns', () => {
    const levels = Array.from({ length: 12 }, (_, i) => i)
    expect(draw([], { factors: [{ name: 'lr', levels }] }).map).not.toHaveProperty('texttemplate')
  })
})
