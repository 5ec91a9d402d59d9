import * as tf from '@tensorflow/tfjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import { executeStudy } from '../../../../engine/study/execute.ts'
import { memoryFiles } from '../../data/memory-files.ts'
import { memoryRuns } from '../memory-runs.ts'

const limit = Error.stackTraceLimit
beforeAll(() => {
  Error.stackTraceLimit = 50 // as in the kernel
})
afterAll(() => {
  Error.stackTraceLimit = limit
})

/** What comes of training a block whose branch is `code`, of y, two steps for each of two seeds. */
async function trained(code: string, before = '') {
  const source = `// %% own
import * as tf from '@tensorflow/tfjs'
import { block, compare, dense, image, layerNorm, mul, residual, shapes, surrogate } from 'mixlab'
${before}
export const own = block('own', (x, { dim }) => {
  const y = dense(layerNorm(x), dim)
  return residual(x, dense(${code}, dim))
})
// %% study
export const study = compare('s', {
  task: image({ data: shapes({ train: 64, test: 20 }) }),
  model: { patch: 16, dim: 4, depth: 1 },
  variants: { own },
  train: { steps: 2, batch: 4 },
  seeds: 2,
})`
  const cells = await evaluateAll(source, { mixlab, '@tensorflow/tfjs': tf }, { console })
  const study = cells.get('study')?.value as Parameters<typeof executeStudy>[0]
  const around = { runs: memoryRuns(), files: memoryFiles({}), backend: { name: 'cpu', device: 'test' } as const }
  const said: Record<'failed' | 'warning' | 'skipped', string[]> = { failed: [], warning: [], skipped: [] }
  let done = 0
  let steps = 0
  for await (const event of executeStudy(study, around)) {
    if (event.type === 'warning') said.warning.push(event.message)
    if (event.type === 'skipped') said.skipped.push(event.error)
    if (event.type !== 'run') continue
    if (event.event.type === 'failed') said.failed.push(event.event.message)
    if (event.event.type === 'step') steps++
    if (event.event.type === 'done') done++
  }
  return { ...said, done, steps }
}

const WRONG = `const wrong = tf.customGrad((x, save) => {
  save([x])
  return { value: tf.square(x), gradFunc: (dy, [x]) => [tf.mul(dy, x)] }
})`
const RIGHT = WRONG.replace('tf.mul(dy, x)', 'tf.mul(dy, tf.mul(x, 2))')

describe('before the first step', () => {
  it.each([
    ['as it is', 'wrong(y)'],
    ['behind a scale of 1e-4', 'tf.mul(wrong(y), 1e-4)'],
  ])('a wrong custom gradient is refused, %s', async (_, code) => {
    const { failed, skipped, steps } = await trained(code, WRONG)
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatch(
      /^own:9: the gradient of customGrad by its input 1 is wrong by 50%: \S+, by central differences \S+; correct it, or declare it by surrogate\(forward, backward\)$/,
    )
    expect([skipped.length, steps]).toEqual([1, 0])
  })

  it('a wrong one in code that reads values, and so runs operation by operation, is refused', async () => {
    const { failed, steps } = await trained('tf.mul(wrong(y), y.dataSync()[0] > 1e9 ? 2 : 1)', WRONG)
    expect(failed).toEqual([
      expect.stringMatching(/^own:9: the gradient of customGrad by its input 1 is wrong by 50%: /),
    ])
    expect(steps).toBe(0)
  })

  it('one that cannot be compared is said to be unchecked, and trained', async () => {
    const nothing = RIGHT.replace(
      'value: tf.square(x)',
      'value: tf.mul(tf.square(x), tf.scalar(1, x.dtype).div(x.size < 0 ? 1 : 0))',
    )
    const { warning, failed } = await trained('tf.clipByValue(wrong(y), 0, 1)', nothing)
    expect(warning).toContain('own: own:9: the gradient of customGrad could not be checked')
    expect(failed.join()).not.toContain('gradient of')
  })

  it('that of softmaxCrossEntropy by its labels, wrong in tfjs, is refused; by its logits it is right', async () => {
    const loss = (labels: string) => `tf.mul(y, tf.losses.softmaxCrossEntropy(${labels}, tf.reshape(y, [-1, 4])))`
    const constant = await trained(loss('tf.softmax(tf.zerosLike(tf.reshape(y, [-1, 4])))'))
    expect(constant).toMatchObject({ failed: [], warning: [], done: 2 })
    const { failed } = await trained(loss('tf.softmax(tf.reshape(y, [-1, 4]))'))
    expect(failed).toEqual([
      expect.stringMatching(/^own:6: the gradient of softmaxCrossEntropy by its input 1 is wrong/),
    ])
  })

  it('a right one is trained', async () => {
    expect(await trained('wrong(y)', RIGHT)).toMatchObject({ failed: [], warning: [], done: 2 })
  })

  it.each([
    [
      'tf.real(tf.fft(tf.complex(y, tf.zerosLike(y))))',
      'own:6: real has no gradient; use products with matrices of cosines and sines',
    ],
    [
      "tf.reshape(tf.avgPool(tf.reshape(y, [-1, 2, 2, 4]), [1, 1], 1, 0, 'ceil'), [-1, 4, 4])",
      "own:6: avgPool: has no right gradient with dimRoundingMode 'ceil'; use 'floor', after tf.pad",
    ],
  ])('an operation without a gradient is refused: %s', async (code, why) => {
    const { failed, skipped, steps } = await trained(code)
    expect(failed).toEqual([why])
    expect([skipped.length, steps]).toEqual([1, 0])
  })
})
