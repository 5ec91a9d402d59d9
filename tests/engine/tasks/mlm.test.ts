import * as tf from '@tensorflow/tfjs'
import { describe, expect, it, vi } from 'vitest'
import { readTokenizer } from '../../../engine/data/tokenizers/index.ts'
import { SPECIAL } from '../../../engine/data/tokenizers/types.ts'
import { MixlabError } from '../../../engine/errors.ts'
import type { BatchValues } from '../../../engine/evaluate/types.ts'
import { bert, gmlp } from '../../../engine/models/index.ts'
import { createModel, type Model } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { keyOf, normal } from '../../../engine/random.ts'
import type { MaskedTokensReport } from '../../../engine/records/report.ts'
import { resolveTask, taskKind } from '../../../engine/tasks/index.ts'
import { type MlmOptions, mlm } from '../../../engine/tasks/mlm.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'
import { predict } from '../../../engine/train/evaluate.ts'
import { adamw } from '../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { noFiles as none } from '../data/memory-files.ts'
import { collect, series } from '../train/toy.ts'
import { running } from './tiny-texts.ts'

vi.mock('../../../engine/data/text/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./tiny-texts.ts')),
}))
onSimd()

async function open(options: Partial<MlmOptions> = {}): Promise<Task> {
  const { task, options: resolved } = resolveTask(mlm({ data: 'talk', tokens: 16, ...options }))
  return taskKind(task).open(resolved, none)
}

/** What is in the next `count` batches, or in all of them. */
async function take(batches: AsyncGenerator<Batch>, count = Number.POSITIVE_INFINITY): Promise<BatchValues[]> {
  const taken: BatchValues[] = []
  for await (const batch of batches) {
    const values = Object.entries(batch).map(([name, tensor]) => [name, tensor.dataSync<'float32' | 'int32'>().slice()])
    taken.push(Object.fromEntries(values))
    tf.dispose(batch)
    if (taken.length === count) break
  }
  return taken
}

async function first(batches: AsyncGenerator<Batch>): Promise<Batch> {
  const { value } = await batches.next()
  await batches.return(undefined)
  return value
}

function modelFor(task: Task, block: Block): Model {
  return createModel(
    task.model(block, resolveSize(block, { dim: 16, depth: 1, ffn: 32, eps: 1e-6 }, 'm')),
    task.input,
    1,
  )
}

const vocabularyOf = (task: Task) => readTokenizer(task.files?.['tokenizer.json'] as string)

describe('batches', () => {
  it('are [CLS] text [SEP] with some tokens hidden, and what these were', async () => {
    const task = await open()
    const { textOf } = vocabularyOf(task)
    for (const { input, mask, positions, target, weights } of (await take(task.trainBatches(8, 1, 0), 5)) as Values[]) {
      for (let row = 0; row < 8; row++) {
        const ids = input.slice(row * 16, (row + 1) * 16)
        const length = mask.slice(row * 16, (row + 1) * 16).reduce((sum, value) => sum + value, 0)
        for (const place of [2 * row, 2 * row + 1]) {
          if (weights[place] === 0) continue
          expect(positions[place]).toBeGreaterThan(0)
          expect(positions[place]).toBeLessThan(length - 1)
          expect(target[place]).toBeGreaterThan(SPECIAL.mask)
          ids[positions[place] as number] = target[place] as number
        }
        expect([ids[0], ids[length - 1]]).toEqual([SPECIAL.first, SPECIAL.separator])
        expect(running).toContain(Array.from(ids.slice(1, length - 1), textOf).join(' '))
        expect([...ids.slice(length)]).toEqual(Array.from({ length: 16 - length }, () => SPECIAL.pad))
        expect([...mask.slice(row * 16, (row + 1) * 16)]).toEqual([...ids].map((_, i) => Number(i < length)))
      }
    }
  })

  it('always have the same shapes', async () => {
    const task = await open()
    const shapes = new Set<string>()
    let step = 0
    for await (const batch of task.trainBatches(8, 1, 0)) {
      shapes.add(JSON.stringify(Object.entries(batch).map(([name, { shape, dtype }]) => [name, shape, dtype])))
      tf.dispose(batch)
      if (++step === 30) break
    }
    expect([...shapes]).toEqual([
      JSON.stringify([
        ['input', [8, 16], 'int32'],
        ['target', [8, 2], 'int32'],
        ['mask', [8, 16], 'float32'],
        ['positions', [8, 2], 'int32'],
        ['weights', [8, 2], 'float32'],
      ]),
    ])
  })

  it('depend on seed and step alone', async () => {
    const task = await open()
    const all = await take(task.trainBatches(8, 1, 0), 6)
    expect(await take((await open()).trainBatches(8, 1, 4), 2)).toEqual(all.slice(4))
    expect(await take(task.trainBatches(8, 2, 0), 1)).not.toEqual(all.slice(0, 1))
  })

  it('hide other tokens each time a text comes', async () => {
    const task = await open()
    const seen = new Map<string, Set<string>>()
    for (const { input, positions, target } of (await take(task.trainBatches(1, 1, 0), 150)) as Values[]) {
      const whole = input.slice()
      for (const [i, at] of positions.entries()) whole[at] = target[i] as number
      seen.set(whole.join(), (seen.get(whole.join()) ?? new Set()).add(positions.join()))
    }
    expect(Math.max(...[...seen.values()].map(({ size }) => size))).toBeGreaterThan(1)
  })

  it('of the held-out text are the same at each evaluation, whatever the size of a batch', async () => {
    const task = await open()
    const all = async (name: 'input' | 'target', batch: number, examples?: number) =>
      ((await take(task.evalBatches('test', batch, examples))) as Values[]).flatMap((values) => [...values[name]])
    expect(await all('input', 3)).toEqual(await all('input', 128))
    expect(await all('target', 3)).toEqual(await all('target', 128))
    expect(await all('input', 2, 3)).toEqual((await all('input', 128)).slice(0, 3 * 16))
  })
})

type Values = Record<'input' | 'positions' | 'target', Int32Array> & Record<'mask' | 'weights', Float32Array>

describe('loss', () => {
  it('is the mean over the masked tokens alone, as in plain loops', async () => {
    const task = await open()
    const vocabulary = vocabularyOf(task).size
    const batch = await first(task.trainBatches(4, 1, 0))
    const weights = tf.tensor2d([1, 1, 1, 0, 0, 0, 1, 1], [4, 2])
    const values = Float32Array.from({ length: 8 * vocabulary }, (_, i) => 3 * normal(keyOf(1, 'logits'), i))
    const target = batch.target?.dataSync() as Int32Array
    let sum = 0
    const gradients = new Float32Array(values.length)
    for (const [row, weight] of [1, 1, 1, 0, 0, 0, 1, 1].entries()) {
      const powers = Array.from(values.slice(row * vocabulary, (row + 1) * vocabulary), Math.exp)
      const total = powers.reduce((all, power) => all + power, 0)
      sum -= weight * Math.log((powers[target[row] as number] as number) / total)
      for (const [id, power] of powers.entries()) {
        gradients[row * vocabulary + id] = (weight * (power / total - Number(id === target[row]))) / (5 + 1e-5)
      }
    }
    tf.tidy(() => {
      const logits = tf.tensor3d(values, [4, 2, vocabulary])
      const { value, grad } = tf.valueAndGrad((x) => task.loss(x, { ...batch, weights }))(logits)
      expect(value.dataSync()[0]).toBeCloseTo(sum / (5 + 1e-5), 5)
      expect(Math.max(...grad.dataSync().map((x, i) => Math.abs(x - (gradients[i] as number))))).toBeLessThan(1e-6)
    })
    tf.dispose([batch, weights])
  })

  it('of a model that knows nothing is the logarithm of the vocabulary, which is the perplexity', async () => {
    const task = await open()
    const vocabulary = vocabularyOf(task).size
    const [perplexity] = task.evaluators()
    for await (const batch of task.evalBatches('test', 4)) {
      const { target, weights } = batch as Record<string, tf.Tensor>
      const logits = tf.zeros([...(target as tf.Tensor).shape, vocabulary])
      const loss = tf.tidy(() => task.loss(logits, batch))
      expect(loss.dataSync()[0]).toBeCloseTo(Math.log(vocabulary), 3)
      perplexity?.add(logits.dataSync() as Float32Array, {
        target: target?.dataSync() as Int32Array,
        weights: weights?.dataSync() as Float32Array,
      })
      tf.dispose([batch, logits, loss])
    }
    expect(perplexity?.name).toBe('perplexity')
    expect(perplexity?.value()).toBeCloseTo(vocabulary, 6)
  })
})

describe('models', () => {
  it.each([
    ['gmlp', gmlp],
    ['bert', bert({ heads: 2, positions: 16 })],
  ] as const)('%s gives logits of the masked places alone, by its embedding', async (_, block) => {
    const task = await open()
    const vocabulary = vocabularyOf(task).size
    const model = modelFor(task, block)
    const tables = model.parameters.filter(({ shape }) => shape.length === 2 && shape.includes(vocabulary))
    expect(tables).toHaveLength(1)
    const batch = await first(task.trainBatches(4, 1, 0))
    tf.tidy(() => {
      const { mask, positions } = batch as Record<string, tf.Tensor>
      const told = predict(task, model, batch, {})
      expect(told.shape).toEqual([4, 2, vocabulary])
      const all = model.apply(batch.input, {}, { mask: mask as tf.Tensor })
      const chosen = tf.gather(all, positions as tf.Tensor, 1, 1)
      expect(tf.max(tf.abs(tf.sub(told, chosen))).dataSync()[0]).toBeLessThan(1e-5)
    })
    tf.dispose(batch)
    model.dispose()
  })

  it.each([
    ['gmlp', gmlp, 150],
    ['bert', bert({ heads: 2, positions: 16 }), 500],
  ] as const)('%s learns, and tells what it says to masked tokens', async (_, block, steps) => {
    const task = await open()
    const model = modelFor(task, block)
    const optimizer = adamw({ learningRate: 1e-2 })
    const recipe = resolveRecipe({ steps, batch: 16, optimizer, evalEvery: steps, warmup: 0 })
    const events = await collect(train({ model, task, recipe, seed: 1 }))
    model.dispose()
    expect(events.at(-1)?.type).toBe('done')
    const perplexities = series(events, 'validation/perplexity')
    expect(perplexities.at(-1)).toBeLessThan(4)
    expect(series(events, 'validation/accuracy').at(-1)).toBeGreaterThan(0.5)
    const report = events.find((event) => event.type === 'report')?.report.test as MaskedTokensReport
    const { tokens, masked } = report.texts[0] as MaskedTokensReport['texts'][number]
    expect([tokens[0], tokens.at(-1)]).toEqual(['[CLS]', '[SEP]'])
    expect(masked).toHaveLength(2)
    for (const { likely } of masked) expect(likely).toHaveLength(5)
  })
})

describe('files', () => {
  it('keep the tokenizer that the training text taught', async () => {
    const options = { kind: 'bytePairs', vocabulary: 300 } as const
    const tokenizer = vocabularyOf(await open({ tokenizer: options }))
    expect(tokenizer.size).toBe(300)
    expect(tokenizer.decode(tokenizer.encode('the film was great').ids)).toBe('the film was great')
    expect(vocabularyOf(await open({ tokenizer: options })).save()).toBe(tokenizer.save())
  })
})

it('has a hash that every option changes', async () => {
  const options: Partial<MlmOptions>[] = [
    {},
    { tokens: 17 },
    { mask: 0.2 },
    { tokenizer: { vocabulary: 20 } },
    { tokenizer: { kind: 'characters' } },
  ]
  const hashes = await Promise.all(options.map(async (more) => (await open(more)).hash))
  expect(new Set(hashes).size).toBe(options.length)
  expect((await open()).hash).toBe(hashes[0])
})

describe('misuse', () => {
  it.each([
    [{ data: 'talks' }, "task.data: unknown data set 'talks' (did you mean 'talk'?)"],
    [{ tokens: 3 }, 'task.tokens: 3, expected at least 4'],
    [{ tokens: 9000 }, 'task.tokens: 9000, expected at most 8192'],
    [{ mask: 0 }, 'task.mask: 0, expected more than 0'],
    [{ mask: 1 }, 'task.mask: 1, expected less than 1'],
    [{ mask: '15%' }, "task.mask: '15%', expected a number"],
    [{ masks: 0.15 }, "task: unknown option 'masks' (did you mean 'mask'?)"],
    [{ tokenizer: { vocabulary: 3 } }, 'task.tokenizer.vocabulary: 3, expected at least 6'],
    [{ tokenizer: { kind: 'wordPieces' } }, "task.tokenizer.kind: unknown value 'wordPieces'"],
  ])('refuses %j', (options, message) => {
    const spec = mlm({ data: 'talk', ...options } as MlmOptions)
    expect(() => resolveTask(spec)).toThrow(message)
    expect(() => resolveTask(spec)).toThrow(MixlabError)
  })

  it('refuses texts that are longer than the corpus', async () => {
    await expect(open({ tokens: 128 })).rejects.toThrow(
      /^task\.tokens: 128, expected at most about \d+: the (test|validation) text is short$/,
    )
    await expect(open({ tokens: 8192 })).rejects.toThrow(/: the train text is short$/)
  })
})
