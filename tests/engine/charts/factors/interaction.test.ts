import { describe, expect, it } from 'vitest'
import { interaction } from '../../../../engine/charts/factors/interaction.ts'
import { ACCURACY } from '../../../meanings.ts'
import { style } from '../style.ts'
import { FACTORS, rows } from './rows.ts'

const options = { metric: 'test/accuracy', meaning: ACCURACY, factors: FACTORS }

describe('an interaction plot', () => {
  it('has a place per level in the order of the study, and a line per level of the other factor', () => {
    const { title, figure, note } = interaction(rows, { ...options, x: 'lr', lines: ['gate'] }, style)
    const [seeds, , linear, split] = figure.data
    expect(title).toBe('test/accuracy by lr, gate')
    expect(figure.layout).toMatchObject({
      xaxis: { ticktext: ['0.003', '0.001', '0.01'], tickvals: [0, 1, 2], range: [-0.5, 2.5] },
    })
    expect(linear?.x).toEqual([-0.06, 0.94, 1.94].map((at) => expect.closeTo(at)))
    expect(split?.x).toEqual([0.06, 1.06, 2.06].map((at) => expect.closeTo(at)))
    expect(linear?.y).toEqual([0.015, 0.115, 0.215].map((value) => expect.closeTo(value)))
    expect(seeds?.x?.slice(0, 2)).toEqual([expect.closeTo(-0.012), expect.closeTo(-0.012)])
    expect(note).toBe('Lines: means; whiskers: 95% interval of the mean over seeds (t).')
    // t(0.975, 1) = 12.706, times sd / sqrt(2) = 0.005
    expect(linear).toMatchObject({ error_y: { array: Array(3).fill(expect.closeTo(0.0635, 4)) } })
  })

  it('stays within the place of a level with many lines', () => {
    const depths = { name: 'depth', levels: Array.from({ length: 12 }, (_, i) => i) }
    const many = depths.levels.map((depth) => ({ levels: { gate: 'linear', depth }, seed: 1, run: null, value: depth }))
    const factors = [{ name: 'gate', levels: ['linear', 'split'] }, depths]
    const { figure } = interaction(many, { ...options, factors, x: 'gate', lines: ['depth'] }, style)
    const places = figure.data.map(({ x }) => x?.[0] as number)
    expect(places).toHaveLength(12)
    expect(Math.max(...places)).toBeLessThan(0.2)
    expect(Math.min(...places)).toBeGreaterThan(-0.2)
  })
})
