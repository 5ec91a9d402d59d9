import { expect, it } from 'vitest'
import { table } from '../../../engine/display/table.ts'

it('takes records, whose columns come as they appear', () => {
  expect(
    table([
      { a: 1, b: 'x' },
      { b: true, c: Number.NaN },
    ]),
  ).toEqual({
    type: 'table',
    columns: ['a', 'b', 'c'],
    rows: [
      [1, 'x', null],
      [null, 'true', null],
    ],
    total: 2,
  })
})

it('takes columns by name', () => {
  const { columns, rows } = table({ name: ['a', 'b'], value: new Float32Array([1, 2]) })
  expect(columns).toEqual(['name', 'value'])
  expect(rows).toEqual([
    ['a', 1],
    ['b', 2],
  ])
})

it('keeps the first rows of many', () => {
  const long = table({ n: Float64Array.from({ length: 2000 }, (_, i) => i) })
  expect([long.rows.length, long.total]).toEqual([1000, 2000])
  const wide = table(
    Array.from({ length: 900 }, () => ({ ['n'.repeat(5000)]: 'x'.repeat(5000), more: 'y'.repeat(5000) })),
  )
  expect(wide.columns.map((name) => name.length)).toEqual([1003, 4])
  expect([wide.rows.length, wide.total]).toEqual([498, 900])
})

it.each<[unknown, string, string]>([
  [{ a: [1], b: [1, 2] }, 'table.b', 'has 2 values, a has 1'],
  [[{ a: {} }], 'table[0].a', 'an object, expected a number or a text'],
  [[1], 'table[0]', 'expected a record, such as { name: 1 }'],
  [7, 'table', 'expected an array of records, or columns by name'],
])('refuses %j', (given, path, message) => {
  expect(() => table(given as never)).toThrow(
    expect.objectContaining({ code: 'option', path, message: `${path}: ${message}` }),
  )
})
