import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import { accuracy, compare, crossEntropy, dataset, gmlp, metric, mul, task } from '../../../engine/index.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import type { TaskOnData, TaskOptions } from '../../../engine/tasks/task.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { memoryRuns } from '../study/memory-runs.ts'

const WORDS = ['red', 'green', 'blue']
const TOKENS = 12

/** Texts of one to nine words, and for each token whether it is a word with an e. */
const texts = dataset('texts', {
  train: 64,
  test: 150,
  classes: ['without', 'with'],
  shape: { target: [TOKENS] },
  make: (random) => {
    const words = Array.from({ length: 1 + random.integer('length', 9) }, (_, i) => random.integer(`word ${i}`, 3))
    const target = Int32Array.from({ length: TOKENS }, (_, i) =>
      Number(words[i - 1] !== undefined && words[i - 1] !== 2),
    )
    return { text: words.map((word) => WORDS[word]).join(' '), target }
  },
})

type Counts = (batch: Record<string, ArrayLike<number>>, place: number) => boolean

/** Cross entropy and share that is right over the places that count, as cells would say it. */
const over = (counts: Counts) =>
  (['loss', 'accuracy'] as const).map((kind) =>
    metric(`own_${kind}`, { better: 'lower' }, () => {
      let [sum, all] = [0, 0]
      return {
        add(prediction, batch) {
          const target = batch.target as Int32Array
          const classes = prediction.length / target.length
          for (const [place, own] of target.entries()) {
            if (!counts(batch, place)) continue
            const row = [...prediction.subarray(place * classes, (place + 1) * classes)]
            const most = Math.max(...row)
            const normaliser = most + Math.log(row.reduce((all, each) => all + Math.exp(each - most), 0))
            sum += kind === 'loss' ? normaliser - (row[own] as number) : Number(row.indexOf(most) === own)
            all += 1
          }
        },
        value: () => sum / all,
      }
    }),
  )

const isToken: Counts = ({ target = [] }, place) => target[place] !== 0
const isInText: Counts = ({ mask = [] }, place) => mask[place] === 1
const next = ({ text }: tf.NamedTensorMap) =>
  tf.pad(tf.slice(text as tf.Tensor, [0, 1]), [
    [0, 0],
    [0, 1],
  ])

/** The metrics of the test, and the key, of a run of a task. */
async function tested(options: Partial<TaskOnData>) {
  const own = task('own', { data: texts, tokens: TOKENS, ...options } as TaskOptions)
  const train = { steps: 6, batch: 8, histograms: false, evalEvery: 6 }
  const study = compare('s', { task: own, model: { dim: 8, depth: 1 }, variants: { gmlp: gmlp() }, train, seeds: 1 })
  const runs = memoryRuns()
  const backend = { name: 'cpu', device: 'test' } as const
  for await (const _ of executeStudy(study, { runs, files: memoryFiles({}), backend }));
  const events = runs.started[0]?.events ?? []
  expect(events.at(-1)).toEqual({ type: 'done', step: 6 })
  const metrics = events.flatMap((event) => (event.type === 'metric' ? [[event.name, event.value] as const] : []))
  return Object.fromEntries(metrics)
}

describe('padding of a text that a task has a target for each token of', () => {
  it.each<[target: string, options: Partial<TaskOnData>, counts: Counts]>([
    ['the text itself', { target: 'text' }, isToken],
    ['the text itself, with the usual loss by name', { target: 'text', loss: crossEntropy }, isToken],
    ['classes of its tokens', { target: 'target' }, isInText],
    ['the tokens that come next', { target: next, outputs: [TOKENS, 8], loss: crossEntropy }, isToken],
  ])('counts neither in the loss nor in the accuracy: %s', async (_, options, counts) => {
    const found = await tested({ ...options, metrics: [accuracy, ...over(counts)] })
    expect(found['test/loss']).toBeCloseTo(found['test/own_loss'] as number, 4)
    expect(found['test/accuracy']).toBeCloseTo(found['test/own_accuracy'] as number, 6)
    expect(found['validation/loss']).toBeCloseTo(found['validation/own_loss'] as number, 4)
    expect(found['train/loss']).toBeGreaterThan(0)
  })
  it('is left to a loss of a cell, which finds mask and weights in the batch', async () => {
    const shapes: number[][] = []
    const loss = (prediction: tf.Tensor, target: tf.Tensor, batch: tf.NamedTensorMap) => {
      shapes.push([...(batch.mask?.shape ?? []), ...(batch.weights?.shape ?? [])])
      return mul(crossEntropy(prediction, target), 2)
    }
    await tested({ target: 'text', loss })
    expect(shapes.at(-1)?.slice(1)).toEqual([TOKENS, shapes.at(-1)?.[0], TOKENS])
  })
})
