import { expect, it } from 'vitest'
import { complexity } from '../../../engine/charts/complexity.ts'
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
    ['gmlp, timed here: batch 4 on simd', null, 16, 3],
  ])
  expect(chart.note).toBe('1 time at another width or depth left out.')
})

it('says batch and backend once where all steps have the same, and colours the blocks as the curves of their formulas', () => {
  const timed = { ...row, model: 'MLP-Mixer', sizes: at, run: null }
  const stored = [row, { ...row, ms: 9, run: 8, seed: 1 }].map((each) => ({ ...each, sizes: at }))
  const chart = stepTimes([timed, ...stored], { at, axis: 'tokens' }, style)
  expect(chart.note).toMatch(/^Each step of batch 4 on simd. Whiskers/)
  expect([...new Set(chart.rows.map(([family]) => family))]).toEqual(['MLP-Mixer, timed here', 'gmlp, stored runs'])
  const formulas = complexity({ at, axis: 'tokens', counted: { name: 'gmlp', macs: 1 } }, style)
  const look = (of: typeof chart, name: string) => {
    const traces = of.figure.data.filter((each) => each.type === 'scatter')
    return traces.find((each) => each.showlegend && each.name?.startsWith(name))?.marker?.color
  }
  expect(look(chart, 'MLP-Mixer')).toBe(look(formulas, 'MLP-Mixer'))
  expect(look(chart, 'gmlp')).toBe(look(formulas, 'gmlp, counted'))
})

it('has ticks that do not lie on each other: for wide whiskers, and of whole tokens', () => {
  const rows = [3, 28].map((ms, seed) => ({ ...row, sizes: at, ms, seed, run: seed }))
  const vit = { ...row, model: 'vit', ms: 13, sizes: { ...at, tokens: 17 } }
  const { layout } = stepTimes([...rows, vit], { at, axis: 'tokens' }, style).figure
  expect([layout.xaxis?.dtick, layout.yaxis?.dtick]).toEqual(['L1', 'D2'])
})
