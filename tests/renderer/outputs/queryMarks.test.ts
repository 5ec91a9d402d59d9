import { describe, expect, it } from 'vitest'
import { firstChart, queryMarks } from '../../../renderer/outputs/queryMarks.ts'
import type { QueryChart } from '../../../renderer/protocol/output.ts'

const answer = {
  columns: ['variant', 'seed', 'accuracy'],
  rows: [
    ['gmlp', 0, 0.5],
    ['mixer', 0, null],
    ['gmlp', 1, 0.7],
  ],
  truncated: false,
}
const chart = (change: Partial<QueryChart>): QueryChart => ({
  mark: 'line',
  x: 'seed',
  y: 'accuracy',
  color: null,
  ...change,
})

describe('firstChart', () => {
  it('offers the last column of numbers over the first column', () => {
    expect(firstChart(answer)).toEqual({ mark: 'bar', x: 'variant', y: 'accuracy', color: null })
    const numbers = { columns: ['step', 'value'], rows: [[0, 1]], truncated: false }
    expect(firstChart(numbers)).toEqual({ mark: 'line', x: 'step', y: 'value', color: null })
    expect(firstChart({ ...numbers, columns: ['value'], rows: [[1]] })?.x).toBe(null)
  })

  it('offers none without numbers', () => {
    expect(firstChart({ columns: ['a'], rows: [['x']], truncated: false })).toBe(null)
    expect(firstChart({ columns: ['a'], rows: [], truncated: false })).toBe(null)
  })
})

describe('queryMarks', () => {
  it('draws columns, one line per colour', () => {
    expect(queryMarks(answer, chart({ color: 'variant' }))).toMatchObject({
      figure: {
        mark: 'line',
        xLabel: 'seed',
        yLabel: 'accuracy',
        series: [
          { name: 'gmlp', x: [0, 1], y: [0.5, 0.7] },
          { name: 'mixer', x: [0], y: [null] },
        ],
      },
    })
    expect(queryMarks(answer, chart({ x: null }))).toMatchObject({ figure: { series: [{ x: [0, 1, 2] }] } })
  })

  it('says what cannot be drawn', () => {
    expect(queryMarks(answer, chart({ y: 'variant' }))).toEqual({ problem: "'variant' has texts: y needs numbers." })
    expect(queryMarks(answer, chart({ color: 'gone' }))).toEqual({ problem: "The answer has no column 'gone'." })
  })
})
