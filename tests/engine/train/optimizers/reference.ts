import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as tf from '@tensorflow/tfjs'
import { parameter, zeros } from '../../../../engine/nn/index.ts'
import { createModel } from '../../../../engine/nn/model.ts'
import { evaluationWeights } from '../../../../engine/train/ema.ts'
import { type OptimizerSpec, optimizerOf } from '../../../../engine/train/optimizers/index.ts'
import { trainingSteps } from '../../../../engine/train/steps/index.ts'

type Matrix = number[][]
type Weights = Record<'w' | 'u', Matrix>

/** What tests/golden/optimizers/make.py has written. */
export interface Golden {
  optimizer: string
  options: Record<string, number>
  rates: number[]
  data: Weights & Record<'x' | 'y', Matrix>
  steps: { weights: Weights; evaluated?: Weights }[]
}

export function goldenOf(name: string): Golden {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../../golden/optimizers/${name}.json`), 'utf8'))
}

/**
 * The largest error of a weight at any step, as a share of the largest entry of its matrix, where an optimizer trains the
 * network of a golden file by the steps of the training loop.
 */
export async function errorOf(golden: Golden, spec: OptimizerSpec, { program = true } = {}): Promise<number> {
  const { data, rates, steps } = golden
  const forward = (x: tf.Tensor) => {
    const w = parameter('w', [6, 4], zeros)
    const u = parameter('u', [4, 9], zeros, { decay: false })
    return tf.matMul(tf.matMul(x as tf.Tensor2D, w as unknown as tf.Tensor2D), u as unknown as tf.Tensor2D)
  }
  const model = createModel(forward, { shape: [12, 6] }, 1)
  for (const { name, variable } of model.parameters) {
    tf.tidy(() => variable.assign(tf.tensor(data[name as 'w' | 'u'])))
  }
  const kind = optimizerOf(spec)
  const optimizer = kind.create(kind.resolve(spec.options), model.trained)
  const evaluated = evaluationWeights(model.parameters, optimizer)
  const updates = trainingSteps(
    {
      model,
      parameters: model.trained,
      optimizer,
      average: evaluated ?? {
        update: () => {},
        withAveragedWeights: (body) => body(),
        state: () => ({}),
        dispose: () => {},
      },
      recipe: { accumulate: 1, clip: undefined, ema: undefined, layerDecay: undefined },
      lossOf: ({ x, y }, mode) =>
        tf.div(tf.sum(tf.square(tf.sub(model.apply(x as tf.Tensor, mode), y as tf.Tensor))), 24) as tf.Scalar,
    },
    { program },
  )
  const batch = { x: tf.tensor(data.x), y: tf.tensor(data.y) }
  let worst = 0
  const compare = async (expected: Weights) => {
    for (const { name, variable } of model.parameters) {
      const wanted = expected[name as 'w' | 'u'].flat()
      const largest = Math.max(...wanted.map(Math.abs))
      const found = await variable.data()
      worst = Math.max(worst, ...wanted.map((value, i) => Math.abs(value - (found[i] as number)) / largest))
    }
  }
  for (const [i, rate] of rates.entries()) {
    await updates.run(batch, i, rate, false)
    updates.syncVariables()
    const { weights, evaluated: averaged } = steps[i] as Golden['steps'][number]
    await compare(weights)
    if (averaged) await evaluated?.withAveragedWeights(() => compare(averaged))
  }
  if (program && updates.fallback()) throw updates.fallback()?.reason
  for (const each of [updates, optimizer, model]) each.dispose()
  tf.dispose(batch)
  return worst
}
