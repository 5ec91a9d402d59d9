import { expect } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import { bert } from '../../../../engine/models/index.ts'
import { createModel } from '../../../../engine/nn/model.ts'
import { resolveSize } from '../../../../engine/nn/size.ts'
import { resolveTask, type TaskSpec, taskKind } from '../../../../engine/tasks/index.ts'
import { adamw } from '../../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../../engine/train/recipe.ts'
import { train } from '../../../../engine/train/train.ts'
import { collect, series } from '../../train/toy.ts'

/** Trains a small model and gives the first and the last value of each metric it is asked for. */
export async function learn(spec: TaskSpec, files: FileSource, tokens: number, steps: number) {
  const { task: name, options } = resolveTask(spec)
  const task = await taskKind(name).open(options, files)
  const block = bert({ heads: 2, positions: tokens })
  const size = resolveSize(block, { dim: 16, depth: 1, ffn: 32, eps: 1e-6 }, 'm')
  const model = createModel(task.model(block, size), task.input, 1)
  const optimizer = adamw({ learningRate: 1e-2 })
  const recipe = resolveRecipe({ steps, batch: 16, optimizer, evalEvery: steps, warmup: 0 })
  const events = await collect(train({ model, task, recipe, seed: 1 }))
  model.dispose()
  expect(events.at(-1)?.type).toBe('done')
  return (metric: string) => {
    const values = series(events, metric)
    return { first: values[0] ?? Number.NaN, last: values.at(-1) ?? Number.NaN }
  }
}
