import { describe, expect, it } from 'vitest'
import { confusion, confusions } from '../../../engine/charts/confusion.ts'
import type { HeatmapTrace } from '../../../engine/charts/figure/figure.ts'
import { style } from './style.ts'

const draw = (classes: string[], counts: number[][]) =>
  confusion({ split: 'test', classes, confusion: counts, run: 4 }, style)

describe('confusion', () => {
  it('colours the shares of each row and writes the counts', () => {
    const { title, figure, columns, rows, note } = draw(
      ['a', '<b>'],
      [
        [3, 1],
        [0, 2],
      ],
    )
    expect(title).toBe('Confusion, test')
    expect(figure.data[0]).toMatchObject({
      z: [
        [0.75, 0.25],
        [0, 1],
      ],
      text: [
        ['3', '1'],
        ['', '2'],
      ],
      ...{ texttemplate: '%{text}', zmin: 0, zmax: 1, meta: { run: 4 } },
    })
    expect(figure.layout).toMatchObject({ yaxis: { autorange: 'reversed', ticktext: ['a', '&lt;b>'] } })
    expect(columns).toEqual(['class', 'a', '<b>', 'right'])
    expect(rows).toEqual([
      ['a', 3, 1, 0.75],
      ['<b>', 0, 2, 1],
    ])
    expect(note).toContain('5 of 6 right')
  })
  it('takes a class without examples, no classes, and more than can be written', () => {
    const { figure, rows } = draw(
      ['a', 'b'],
      [
        [0, 0],
        [1, 0],
      ],
    )
    expect((figure.data[0] as HeatmapTrace).z[0]).toEqual([null, null])
    expect(rows[0]).toEqual(['a', 0, 0, null])
    expect(draw([], [])).toMatchObject({ rows: [], note: 'No examples.' })
    const many = Array.from({ length: 100 }, (_, i) => `c${i}`)
    const large = draw(
      many,
      many.map((_, i) => many.map((_, j) => (i === j ? 5 : 0))),
    )
    expect(large.figure.data[0]).not.toHaveProperty('texttemplate')
    expect(large.height).toBeLessThan(700)
  })
})

describe('confusions', () => {
  it('has a matrix for each split that tells classes apart', () => {
    const classes = { kind: 'classification' as const, classes: ['a'], confusion: [[2]], accuracy: [1], wrong: [] }
    const charts = confusions({ test: classes, eval: classes }, 3, style)
    expect(charts.map(({ title }) => title)).toEqual([
      'Confusion, test',
      'Confusion, eval (test, also used for choosing)',
    ])
    expect(charts[0]?.figure.data[0]).toMatchObject({ meta: { run: 3 } })
    expect(confusions({}, 3, style)).toEqual([])
  })
})
