import * as tf from '@tensorflow/tfjs'
import { expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'

/** What the one run of a study says whose block is `code`. */
async function said(code: string, optimizer = 'adamw()'): Promise<string[]> {
  const source = `// %% own
import * as tf from '@tensorflow/tfjs'
import { adamw, block, compare, dense, image, residual, sgd, shapes, sub } from 'mixlab'
export const own = block('own', (x, { dim }) => {
  const y = dense(x, dim)
  return residual(x, ${code})
})
// %% study
export const study = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { own },
  train: { steps: 40, batch: 8, optimizer: ${optimizer} },
  seeds: 1,
})`
  return saidBy(source)
}

/** What the runs of the study of a notebook say when they fail. */
async function saidBy(source: string): Promise<string[]> {
  const cells = await evaluateAll(source, { mixlab, '@tensorflow/tfjs': tf }, { console })
  const study = cells.get('study')?.value as Parameters<typeof executeStudy>[0]
  const around = { runs: memoryRuns(), files: memoryFiles({}), backend: { name: 'cpu', device: 'test' } as const }
  const all: string[] = []
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50 // as in the kernel
  for await (const event of executeStudy(study, around)) {
    if (event.type === 'run' && event.event.type === 'failed') all.push(event.event.message)
  }
  Error.stackTraceLimit = limit
  return all
}

it.each([
  [
    'of an operation',
    'tf.log(sub(y, y))',
    'own:5: loss is NaN at step 1: Log is the first to give such a value, in the forward pass of step 1, of x [8, 4, 8] of 0, which Sub made NaN at norm; keep what it gets above 0: add an eps to it, or take softplus of it first',
  ],
  [
    'of its gradient',
    'tf.sqrt(sub(y, y))',
    'own:5: loss is NaN at step 2: RealDiv of the gradient of Sqrt is the first to give such a value, in the backward pass of step 1, of a [8, 4, 8] of 0 and b [8, 4, 8] of 0; the gradient of a root at 0 is infinite: add an eps to what it gets',
  ],
])('a loss that is not finite names the line %s, and what to try', async (_, code, reason) => {
  expect(await said(code)).toEqual([reason])
})

it('a loss of a cell names its own line', async () => {
  const [reason] = await saidBy(`// %% own
import * as tf from '@tensorflow/tfjs'
import { compare, crossEntropy, image, mixer, shapes, sub, task } from 'mixlab'
export const own = task('own', {
  base: image({ data: shapes({ size: 16, train: 64, test: 20 }) }),
  loss: (z, y) =>
    tf.mean(tf.log(sub(z, z))),
})
// %% study
export const study = compare('s', {
  task: own,
  model: { patch: 16, dim: 8, depth: 1 },
  variants: { mixer },
  train: { steps: 2, batch: 8 },
  seeds: 1,
})`)
  expect(reason).toContain('own:6: loss is -Infinity at step 1: Log is the first to give such a value')
})

it('that comes of learning too fast says so', async () => {
  const [reason] = await said('y', 'sgd({ learningRate: 1e9 })')
  expect(reason).toMatch(
    /^head: loss is NaN at step 4: training diverged; BatchMatMul gave the first such value, .* of a \[8, 8\] from .* and head.weight \[8, 10\] from .*; at step 3 the loss was .*; try a learning rate below 1000000000, warmup, or clip$/,
  )
})
