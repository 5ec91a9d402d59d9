import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import * as mixlab from '../../engine/index.ts'
import { evaluateAll } from '../../engine/notebook/index.ts'
import { executeStudy } from '../../engine/study/execute.ts'
import { memoryFiles } from './data/memory-files.ts'
import { memoryRuns } from './study/memory-runs.ts'

const DATA = 'shapes({ size: 16, train: 64, test: 20 })'

/** What goes wrong with a study of three seeds, whose cell `own` is `code`, and how many runs were tried. */
async function problems(
  code: string,
  { optimizer = 'adamw()', more = 'logEvery: 1', task = `image({ data: ${DATA} })` } = {},
) {
  const source = `// %% imports
import * as tf from '@tensorflow/tfjs'
import { adamw, compare, dataset, image, mean, mixer, optimizer, shapes, surrogate, task } from 'mixlab'
// %% own
${code}
// %% study
export const study = compare('s', {
  task: ${task},
  model: { patch: 8, dim: 8, depth: 1 },
  variants: { mixer },
  train: { steps: 1, batch: 8, optimizer: ${optimizer}, ${more} },
  seeds: 3,
})`
  const cells = await evaluateAll(source, { mixlab, '@tensorflow/tfjs': tf }, { console })
  const study = cells.get('study')?.value as Parameters<typeof executeStudy>[0]
  const around = { runs: memoryRuns(), files: memoryFiles({}), backend: { name: 'cpu', device: 'test' } as const }
  const said: string[] = []
  let begun = 0
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 50 // as in the kernel
  for await (const event of executeStudy(study, around)) {
    if (event.type === 'begin') begun += 1
    if (event.type === 'run' && event.event.type === 'failed') said.push(event.event.message)
  }
  Error.stackTraceLimit = limit
  return { said, begun }
}

const ownLoss = (loss: string) => `const wrong = tf.customGrad((x, save) => (
  save([x]), { value: tf.square(x), gradFunc: (dy, [x]) => [tf.mul(dy, x)] }
))
export const own = task('own', {
  base: image({ data: ${DATA} }),
  loss: (z, y) => ${loss},
})`

const update = (value: string, more = '') => `// a comment
export const own = optimizer('own', { learningRate: 1e-3 }, {
  state: ['speed'],
  update: ({ weight, gradient, speed }) => (${value}),${more}
})`

describe('an error of what a cell defines has its line, and is tried with one seed', () => {
  it.each([
    [
      'a state of another shape',
      update('{ weight, speed: tf.sum(gradient) }'),
      "own:2: optimizer 'own' for 'stem.proj.weight': update gave 'speed': [], expected [192,8] where the weight is [192,8]",
    ],
    [
      'a promise',
      update('tf.sum(gradient).data()').replace('({ w', 'async ({ w'),
      "own:2: optimizer 'own' for 'stem.proj.weight': update gave a promise, expected { weight, speed }",
    ],
    [
      'what throws',
      update('{ weight, speed: tf.add(speed, tf.ones([3, 5])) }'),
      'own:4: add: shapes [192,8] and [3,5] do not fit',
    ],
    [
      'other weights to evaluate',
      update('{ weight, speed }', '\n  evaluationWeights: ({ weight }) => tf.sum(weight),'),
      "own:2: optimizer 'own' for 'stem.proj.weight': evaluationWeights gave: [], expected [192,8]",
    ],
  ])('an optimizer: %s', async (_, code, reason) => {
    const { said, begun } = await problems(code, { optimizer: 'own()' })
    expect(said).toEqual([expect.stringContaining(reason)])
    expect(begun).toBe(1)
  })
  it.each([
    ['what throws', '[null][1].x', "own:2: Cannot read properties of undefined (reading 'x')"],
    [
      'a missing label',
      '{ image: [[[1]]], label: undefined }',
      "own:1: data set 'own': example 0 of train: label is missing",
    ],
    ['nothing of images', '{ text: "a", label: 0 }', 'own:1: '],
  ])('a data set: %s', async (_, made, reason) => {
    const code = `export const own = dataset('own', { train: 9, test: 3, make: (random) =>
  (${made}) })`
    await expect(problems(code, { task: 'image({ data: own })' })).rejects.toThrow(reason)
  })
  it.each([
    ['a loss of another shape', 'loss: (z) => z', "own:1: loss of 'own': [2, 10], expected one number"],
    ['a part that is none', "input: 'imag'", "own:1: input of 'own': its data set has no part 'imag'"],
  ])('a task: %s', async (_, part, reason) => {
    const code = `export const own = task('own', { data: shapes({ size: 16, train: 64, test: 20 }), ${part} })`
    await expect(problems(code, { task: 'own' })).rejects.toThrow(reason)
  })
  it.each([
    [
      'no tensor',
      'mean(z).dataSync()[0]',
      "own:4: loss of 'own': returned a value of type number, expected one number, as a tensor",
    ],
    ['a wrong gradient', 'mean(wrong(z))', 'own:6: the gradient of customGrad by its input 1 is wrong by 50%'],
    [
      'no gradient',
      'mean(tf.real(tf.fft(tf.complex(z, tf.zerosLike(z)))))',
      'own:6: real has no gradient; use products',
    ],
    [
      'nothing but jumps',
      "mean(tf.cast(tf.equal(tf.argMax(z, -1), y), 'float32'))",
      'own:6: no gradient reaches the weights: argMax is constant but for jumps',
    ],
    ['nothing of the model', "mean(tf.cast(y, 'float32'))", 'own:4: the loss depends on none of the weights'],
  ])('a loss: %s', async (_, loss, reason) => {
    const { said, begun } = await problems(ownLoss(loss), { task: 'own' })
    expect(said).toEqual([expect.stringContaining(reason)])
    expect(begun).toBe(1)
  })
  it('a loss: a surrogate gradient of what is constant but for jumps is one', async () => {
    const loss = 'mean(surrogate((x) => tf.round(x), (dy) => dy)(z))'
    expect(await problems(ownLoss(loss), { task: 'own' })).toEqual({ said: [], begun: 3 })
  })
  it('a loss that takes classes alone: what targets are in training', async () => {
    const loss = 'mean(tf.mul(z, tf.oneHot(y, 10)))'
    const mixed = problems(ownLoss(loss), { task: 'own', more: 'mixup: 0.5' })
    await expect(mixed).rejects.toThrow(
      "own:6: Argument 'indices' passed to 'oneHot' must be int32 tensor, but got float32 tensor; in training the target is float32 [2, 10]",
    )
    expect(await problems(ownLoss(loss), { task: 'own' })).toEqual({ said: [], begun: 3 })
  })
})
