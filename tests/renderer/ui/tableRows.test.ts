import { describe, expect, it } from 'vitest'
import { sorted, textOfValue } from '../../../renderer/ui/tableRows.ts'

describe('sorted', () => {
  const rows = [
    [10, 'a'],
    [null, 'b'],
    [9, 'c'],
    ['x', 'd'],
    [9, 'e'],
  ]
  const names = (column: number, direction: 'ascending' | 'descending') =>
    sorted(rows, { column, direction })
      .map(([, name]) => name)
      .join('')

  it('puts numbers before texts, what is empty last, and leaves ties alone', () => {
    expect(names(0, 'ascending')).toBe('ceadb')
    expect(names(0, 'descending')).toBe('daceb')
    expect(names(1, 'descending')).toBe('edcba')
  })

  it('leaves rows without an order', () => {
    expect(sorted(rows, null)).toBe(rows)
  })

  it('sorts numbers within texts by their value', () => {
    const texts = [['seed 10'], ['seed 9']]
    expect(sorted(texts, { column: 0, direction: 'ascending' })).toEqual([['seed 9'], ['seed 10']])
  })
})

it('shows few digits, and the beginning of long texts', () => {
  expect([null, 3, 0.123456789, 1234567, 1e-9, 'x'].map(textOfValue)).toEqual([
    '–',
    '3',
    '0.123457',
    '1234567',
    '1e-9',
    'x',
  ])
  expect(textOfValue('x'.repeat(300))).toBe(`${'x'.repeat(200)}...`)
})
