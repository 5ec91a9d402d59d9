import { expect, it } from 'vitest'
import { cellsOf, firstOfEach } from '../../../../engine/charts/wall/apart.ts'

it('of rows that nobody could tell apart in a small chart the first is left, on its own scale of each axis', () => {
  const rows = [
    { x: 1, y: 0 },
    { x: 1, y: 0.004 },
    { x: 1, y: 0.5 },
    { x: 10, y: 1 },
    { x: 10.01, y: 1 },
    { x: 100, y: 1 },
  ]
  const values = (name: 'x' | 'y') => rows.map((row) => row[name])
  const cellOf = cellsOf([values('x'), true], [values('y'), false])
  expect(firstOfEach(rows, ({ x, y }) => cellOf(x, y))).toEqual([rows[0], rows[2], rows[3], rows[5]])
  const alike = cellsOf([[7, 7], false])
  expect(firstOfEach([7, 7], (value) => alike(value))).toEqual([7])
})
