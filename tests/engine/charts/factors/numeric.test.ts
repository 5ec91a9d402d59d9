import { describe, expect, it } from 'vitest'
import type { FactorLinesOptions } from '../../../../engine/charts/factors/lines.ts'
import { numericFactor } from '../../../../engine/charts/factors/numeric.ts'
import type { FactorRow } from '../../../../engine/charts/factors/rows.ts'
import { ACCURACY } from '../../../meanings.ts'
import { style } from '../style.ts'
import { FACTORS, row, rows } from './rows.ts'

const METRIC = 'test/accuracy'

function draw(given: FactorRow[], options: Partial<FactorLinesOptions> = {}) {
  const base = { metric: METRIC, meaning: ACCURACY, factors: FACTORS, x: 'lr', lines: ['gate'] }
  return numericFactor(given, { ...base, ...options }, style)
}

describe('a chart against a numeric factor', () => {
  it('has a line of means per level of the other, from left to right, and a dot per seed that leads to its run', () => {
    const { title, figure, note } = draw(rows)
    const [seeds, , linear, split] = figure.data
    expect(title).toBe('test/accuracy against lr')
    expect(figure.data).toHaveLength(4)
    expect(linear).toMatchObject({ name: 'linear', mode: 'lines+markers', customdata: [null, null, null] })
    expect(linear?.y).toEqual([0.115, 0.015, 0.215].map((value) => expect.closeTo(value)))
    expect(split?.y).toEqual([0.615, 0.515, 0.715].map((value) => expect.closeTo(value)))
    expect(linear?.x).toEqual([0.001, 0.003, 0.01].map((at) => expect.closeTo(at, 3)))
    expect(linear).toMatchObject({ error_y: { array: Array(3).fill(expect.closeTo(0.01 / Math.SQRT2)) } })
    expect(linear).toMatchObject({ line: { color: style.series[0] }, showlegend: true })
    expect(split).toMatchObject({ line: { color: style.series[1] } })
    expect(seeds).toMatchObject({ mode: 'markers', showlegend: false, customdata: [101, 201, 103, 203, 110, 210] })
    expect(seeds).toMatchObject({ hovertext: expect.arrayContaining(['gate linear, lr 0.001, seed 2']) })
    expect(figure.layout).toMatchObject({
      xaxis: { type: 'log', title: { text: 'lr' } },
      yaxis: { tickformat: '~%', maxallowed: 1 },
      legend: { title: { text: 'gate' } },
      showlegend: true,
    })
    expect(note).toBe('Lines: means; whiskers: ± 1 standard deviation over seeds.')
  })

  it('draws lines beside each other, and a single one where its levels are', () => {
    const [, , linear, split] = draw(rows).figure.data
    const [left, right] = [linear?.x?.[1], split?.x?.[1]] as number[]
    expect(left).toBeLessThan(0.003)
    expect(right).toBeGreaterThan(0.003)
    const alone = draw(rows, { lines: [] })
    expect(alone.figure.data.at(-1)?.x).toEqual([0.001, 0.003, 0.01])
    expect(alone.figure.layout).toMatchObject({ showlegend: false })
  })

  it('has a row per seed with the mean of its cell', () => {
    const { columns, rows: table } = draw(rows)
    expect(columns).toEqual(['gate', 'lr', 'seed', 'run', METRIC, 'mean', 'sd', 'n'])
    expect(table).toHaveLength(rows.length)
    expect(table[0]).toEqual(['linear', 0.003, 1, 103, 0.01, expect.closeTo(0.015), expect.closeTo(0.00707), 2])
  })

  it('breaks a line where no run is complete, and says so', () => {
    const lost = rows.map((each) =>
      each.levels.lr === 0.003 && each.levels.gate === 'split' ? { ...each, value: null } : each,
    )
    const { figure, note, rows: table } = draw(lost)
    expect(figure.data.at(-1)?.y).toEqual([expect.closeTo(0.615), null, expect.closeTo(0.715)])
    expect(note).toContain(
      '2 of 12 runs left out: not complete, or without a value. Nothing yet at gate split, lr 0.003.',
    )
    expect(table).toContainEqual(['split', 0.003, null, null, null, null, null, 0])
  })

  it('takes values that are not finite for missing, and seeds alone for means of one', () => {
    const { figure, note } = draw([row(0.001, 'linear', 1, Number.NaN), row(0.003, 'linear', 1, 0.5)])
    expect(figure.data).toMatchObject([
      { y: [null, 0.5, null], customdata: [null, 103, null], error_y: { array: [null, null, null] } },
    ])
    expect(figure.data[0]?.hovertext?.[1]).toBe('gate linear, lr 0.003, seed 1')
    expect(note).toBe(
      '1 of 2 runs left out: not complete, or without a value. Nothing yet at gate split; lr 0.001; lr 0.01.',
    )
  })

  it('names a few gaps and counts the others', () => {
    const gates = ['a', 'b', 'c', 'd', 'e']
    const odd = gates.flatMap((gate, i) => [row(1, gate, 1, i ? null : 1), row(2, gate, 1, 2)])
    const factors = [
      { name: 'lr', levels: [1, 2] },
      { name: 'gate', levels: gates },
    ]
    expect(draw(odd, { factors }).note).toMatch(/at gate b, lr 1; gate c, lr 1; gate d, lr 1; 1 more\.$/)
  })

  it('averages over factors without a line, seed by seed, and says so', () => {
    const { figure, note, columns, rows: table } = draw(rows, { lines: [] })
    expect(figure.data.at(-1)?.y).toEqual([0.365, 0.265, 0.465].map((value) => expect.closeTo(value)))
    expect(figure.data.at(-1)).toMatchObject({ error_y: { array: Array(3).fill(expect.closeTo(0.01 / Math.SQRT2)) } })
    expect(figure.data[0]?.customdata).toEqual(Array(6).fill(null))
    expect(note).toContain('Averaged over gate, for seeds whose 2 runs are complete.')
    expect(columns[0]).toBe('lr')
    expect(table[0]?.slice(0, 3)).toEqual([0.003, 1, null])
    const part = draw(
      rows.filter(({ seed, levels }) => seed === 1 || levels.gate === 'split'),
      { lines: [] },
    )
    expect(part.rows.map((cells) => cells[1])).toEqual([1, 1, 1])
  })

  it('averages over levels at which any run is complete, and says which are not', () => {
    const factors = [...FACTORS, { name: 'block', levels: ['a', 'b', 'broken'] }]
    const blocks = (names: string[]) =>
      rows.flatMap((each) =>
        ['a', 'b', 'broken'].map((block) => {
          return { ...each, levels: { ...each.levels, block }, value: names.includes(block) ? each.value : null }
        }),
      )
    const { figure, note } = draw(blocks(['a', 'b']), { factors })
    expect(figure.data.at(-1)?.y).toEqual([0.615, 0.515, 0.715].map((value) => expect.closeTo(value)))
    expect(note).toContain(
      'Averaged over block, for seeds whose 2 runs are complete. Without block broken, where there is nothing yet. 12 of 36',
    )
    const one = draw(blocks(['a']), { factors })
    expect(one.note).not.toContain('Averaged')
    expect(one.note).toContain('Without block b; block broken, where')
    expect(one.figure.data[0]?.customdata?.[0]).toBe(101)
  })

  it('draws nothing before any run is complete, nor against names', () => {
    const none = draw(rows.map((each) => ({ ...each, value: null })))
    expect([none.figure.data, none.rows, none.note]).toEqual([
      [],
      [],
      '12 of 12 runs left out: not complete, or without a value.',
    ])
    expect(draw([])).toMatchObject({ figure: { data: [] }, rows: [] })
    expect(draw(rows, { x: 'gate', lines: ['lr'] }).figure.data).toEqual([])
  })

  it('tells long names apart, which stand in full under the pointer', () => {
    const names = ['a gate that is linear, one', 'a gate that is linear, two']
    const long = names.flatMap((gate) => [row(1, gate, 1, 0.5), row(2, gate, 1, 0.6)])
    const factors = [
      { name: 'lr', levels: [1, 2] },
      { name: 'gate', levels: names },
    ]
    const { figure } = draw(long, { factors })
    expect(figure.data).toMatchObject([{ name: 'a gate tha…, one' }, { name: 'a gate tha…, two' }])
    expect(figure.data[0]?.hovertext?.[0]).toBe('gate a gate that is linear, one, lr 1, seed 1')
  })
})
