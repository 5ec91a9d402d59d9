import { describe, expect, it } from 'vitest'
import { evidenceBySeed } from '../../../engine/charts/evidence.ts'
import { style } from './style.ts'

const rows = [
  { name: 'gmlp against mixer', path: [1, 1.6, 24].map((evidence, i) => ({ seed: i + 1, evidence })), decidedWith: 3 },
  {
    name: 'resmlp against mixer',
    path: [1, 0.2, 0.3].map((evidence, i) => ({ seed: i + 1, evidence })),
    decidedWith: null,
  },
]

describe('evidenceBySeed', () => {
  it('has a line for each comparison on a logarithmic axis, and one at 20 to 1', () => {
    const { figure, note, height } = evidenceBySeed(rows, 24, style)
    expect(figure.data).toMatchObject([
      { name: 'gmlp against mixer', x: [1, 2, 3], y: [1, 1.6, 24] },
      { name: 'resmlp against mixer', y: [1, 0.2, 0.3] },
    ])
    expect(figure.layout).toMatchObject({
      yaxis: { type: 'log' },
      xaxis: { range: [0.5, 24.5] },
      shapes: [{ y0: 20, y1: 20 }],
    })
    const [low, high] = (figure.layout.yaxis as { range: number[] }).range as [number, number]
    expect(10 ** low).toBeLessThan(0.2)
    expect(10 ** high).toBeGreaterThan(24)
    expect(note).toBe('Dashed: 20 to 1, which decides.')
    expect(height).toBe(220)
  })

  it('has each look in its table, and where it was decided', () => {
    const { columns, rows: table } = evidenceBySeed(rows, 24, style)
    expect(columns).toEqual(['comparison', 'seed', 'evidence', 'decided'])
    expect(table[2]).toEqual(['gmlp against mixer', 3, 24, 'here'])
    expect(table).toHaveLength(6)
  })

  it('draws nothing before the first seed is over', () => {
    expect(evidenceBySeed([], 24, style)).toMatchObject({ rows: [], figure: { data: [] } })
  })
})
