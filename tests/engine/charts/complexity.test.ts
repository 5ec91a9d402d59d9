import { expect, it } from 'vitest'
import { complexity } from '../../../engine/charts/complexity.ts'
import { style } from './style.ts'

const at = { tokens: 16, width: 8, depth: 2 }

it('has a curve for each formula around the sizes of a model, and that as it was counted', () => {
  const { columns, rows, title } = complexity({ at, axis: 'tokens', counted: { name: 'mine', macs: 5000 } }, style)
  expect(title).toBe('Multiply-adds of the blocks by tokens, by formula and as counted of mine')
  expect(columns.slice(0, 1)).toEqual(['family'])
  const attention = rows.filter(([family]) => String(family).startsWith('Transformer'))
  expect(attention.map((row) => [row[4], row[5]])).toEqual(
    [2, 4, 8, 16, 32, 64, 128].map((n) => [n, 2 * (12 * n * 64 + 2 * n * n * 8)]),
  )
  expect(rows.at(-1)?.slice(0, 6)).toEqual(['mine, counted', 'mine, counted, tokens 16', 0, null, 16, 5000])
})

it('draws no place twice where sizes are small', () => {
  const { rows } = complexity({ at, axis: 'depth', counted: { name: 'mine', macs: 1 } }, style)
  const places = rows.filter(([family]) => String(family).startsWith('gMLP')).map((row) => row[4])
  expect(places).toEqual([1, 2, 4, 8, 16])
})
