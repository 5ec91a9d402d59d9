import { expect, it } from 'vitest'
import { exported, trained } from './trained.ts'

const NOTEBOOK = `// %% cells
import * as tf from '@tensorflow/tfjs'
import { block, compare, dense, image, residual, shapes, surrogate } from 'mixlab'
const through = surrogate((x) => tf.tanh(x), (dy) => dy)
const own = block('own', (x, { dim }) => residual(x, through(dense(x, dim))))
export const images = compare('images', {
  task: image({ data: shapes({ size: 16, train: 64, validation: 0.2, test: 20 }) }),
  variants: { own },
  model: { patch: 8, dim: 4, depth: 1 },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})
`

it('a model with a surrogate gradient leaves as PyTorch for evaluation alone', async () => {
  const [run] = await trained(NOTEBOOK)
  if (!run) return expect.unreachable()
  const { warnings, training } = await exported(run, 'torch')
  expect(training).toBe(null)
  expect(warnings).toContain(
    'the module is for evaluation alone, as training passes a surrogate gradient, which the module would not have',
  )
})
