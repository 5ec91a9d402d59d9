import { expect, it } from 'vitest'
import { stepTimes } from '../../../engine/charts/stepTimes.ts'
import { style } from './style.ts'

const at = { tokens: 16, width: 8, depth: 2 }
const row = { model: 'gmlp', ms: 3, batch: 4, backend: 'simd', run: 7, seed: 0 }

it('has a family for each batch, backend and origin, and leaves out models of another size', () => {
  const rows = [
    { ...row, sizes: at },
    { ...row, sizes: { ...at, tokens: 32 }, ms: 6, run: 8 },
    { ...row, sizes: at, batch: 8, run: 9 },
    { ...row, sizes: at, run: null },
    { ...row, sizes: { ...at, width: 16 }, run: 10 },
  ]
  const chart = stepTimes(rows, { at, axis: 'tokens' }, style)
  expect(chart.rows.map(([family, , , run, x, ms]) => [family, run, x, ms])).toEqual([
    ['gmlp, stored runs: batch 4 on simd', 7, 16, 3],
    ['gmlp, stored runs: batch 4 on simd', 8, 32, 6],
    ['gmlp, stored runs: batch 8 on simd', 9, 16, 3],
    ['gmlp, made to be timed: batch 4 on simd', null, 16, 3],
  ])
  expect(chart.note).toBe('1 time at another width or depth left out.')
})
