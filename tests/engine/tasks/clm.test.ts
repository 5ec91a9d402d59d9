import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { dataset } from '../../../engine/data/index.ts'
import { readTokenizer } from '../../../engine/data/tokenizers/index.ts'
import { block, conv1d, dense, gmlp, mul, parameter, scan, tokenDense, zeros } from '../../../engine/index.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { lookingAhead } from '../../../engine/study/design/lookingAhead.ts'
import { clm, resolveTask, taskKind } from '../../../engine/tasks/index.ts'
import { noFiles as files } from '../data/memory-files.ts'

const letters = dataset('letters', {
  ...{ train: 30, validation: 8, test: 8 },
  make: (random) => ({ text: Array.from({ length: 6 }, () => 'abcd'[random.integer('letter', 4)]).join(' ') }),
})
const open = async (tokens = 8) => {
  const spec = resolveTask(clm({ data: letters, tokens, tokenizer: { vocabulary: 12 } }))
  return taskKind('clm').open(spec.options, files)
}

describe('causal language modelling', () => {
  it('asks for each token from those before it', async () => {
    const task = await open()
    const before = tf.memory().numTensors
    const batches = task.trainBatches(4, 1, 0)
    const { value: batch } = await batches.next()
    const { input, target, weights } = batch as Record<'input' | 'target' | 'weights', tf.Tensor2D>
    const [given, wanted] = [input.arraySync(), target.arraySync()]
    for (const [row, ids] of given.entries()) {
      expect(ids[0]).toBe(2) // [CLS]
      expect(ids.slice(1)).toEqual(wanted[row]?.slice(0, -1))
    }
    const { textOf } = readTokenizer(task.files?.['tokenizer.json'] ?? '')
    expect(wanted.flat().map(textOf).join('')).toMatch(/^[abcd]+$/)
    expect(new Set(weights.dataSync())).toEqual(new Set([1]))
    await batches.return(undefined as never)
    tf.dispose(batch)
    expect(tf.memory().numTensors).toBe(before)
  })
  it('refuses more tokens than the texts have', async () => {
    await expect(open(400)).rejects.toThrow('task.tokens: 400, expected at most about')
  })
})

describe('looking ahead', () => {
  const of = async (own: Block) => {
    const before = tf.memory().numTensors
    const found = await lookingAhead({
      block: own,
      size: resolveSize(own, { dim: 8, depth: 2 }, ''),
      opened: await open(),
    })
    expect(tf.memory().numTensors).toBe(before)
    return found?.message
  }
  it.each<[string, Block]>([
    ['gmlp', gmlp({ causal: true })],
    ['aMLP', gmlp({ causal: true, attention: 4 })],
    ['a convolution', block('own', (x) => conv1d(x, 8, { padding: 'causal' }))],
    ['a recurrence', block('own', (x) => scan(x, mul(x, 0.5)))],
  ])('%s does not', async (_, own) => {
    expect(await of(own)).toBe(undefined)
  })
  it.each<[string, Block, string]>([
    [
      'gmlp',
      gmlp,
      "block 'gmlp': looks ahead: what it predicts at token 1 depends on tokens from 5 on; a causal language model sees those before it alone, e.g. gmlp({ causal: true })",
    ],
    ['a convolution', block('own', (x) => conv1d(x, 8)), 'predicts at token 3'],
    ['a matrix that begins with zeros', block('own', (x) => tokenDense(x, { weight: zeros })), 'predicts at token 1'],
    [
      'what a step of training would show',
      block('own', (x, { tokens }) =>
        mul(dense(x, 8), tokenDense(x, { weight: zeros, tokens })).add(parameter('p', [1], zeros)),
      ),
      'predicts at token 1',
    ],
  ])('%s does', async (_, own, problem) => {
    expect(await of(own)).toContain(problem)
  })
})
