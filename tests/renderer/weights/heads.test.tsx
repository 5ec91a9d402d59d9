import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, it, vi } from 'vitest'
import { AttentionPanels } from '../../../renderer/weights/AttentionPanels.tsx'
import { MatrixPanels } from '../../../renderer/weights/MatrixPanels.tsx'
import type { SteppedWeights } from '../../../renderer/weights/shownRun.ts'

const answered: { value: unknown } = { value: null }
vi.mock('../../../renderer/host/useAnswer.ts', () => ({
  useAnswer: () => ({ value: answered.value, error: null }),
}))
vi.mock('../../../renderer/charts/pageChart.ts', () => ({
  pageChart: () => ({ title: 'drawn', figure: { data: [], layout: {} }, columns: [], rows: [] }),
}))
vi.mock('../../../renderer/charts/useFigureStyle.ts', () => ({ useFigureStyle: () => ({}) }))

// the slider stands at step 8, and what was answered is of step 0
const stepped: SteppedWeights = {
  runs: [{ id: 7, label: 'gmlp, seed 1', live: false }],
  kept: [
    [
      { which: 0, step: 0 },
      { which: 'last', step: 8 },
    ],
  ],
  step: 8,
  onStep: () => {},
}
const values = new Float32Array([1])
const matrix = { name: 'blocks.0.dense.weight', rows: 1, columns: 1, grid: null, values }
const map = { layer: 'blocks.0.attn', heads: 1, rows: 1, columns: 1, values }

beforeEach(() => {
  answered.value = null
})

it.each([
  ['filters', [{ kept: { which: 0, step: 0 }, found: [matrix] }]],
  ['mixing', [{ kept: { which: 0, step: 0 }, found: [matrix] }]],
] as const)('what is drawn of %s is named by its own step until the next is read', (draw, value) => {
  const head = () => headOf(renderToStaticMarkup(<MatrixPanels {...stepped} draw={draw} />))
  expect(head()).toBe('gmlp, seed 1: step 8, last')
  answered.value = value
  expect(head()).toBe('gmlp, seed 1: step 0')
})

it('attention is named by the step and the example that were read', () => {
  const head = () => headOf(renderToStaticMarkup(<AttentionPanels {...stepped} />))
  expect(head()).toBe('gmlp, seed 1')
  answered.value = [{ of: 'step 0, example 3', maps: [map], error: null }]
  expect(head()).toBe('gmlp, seed 1: step 0, example 3')
})

const headOf = (html: string) => /<h3>(.*)<\/h3>/.exec(html)?.[1]
