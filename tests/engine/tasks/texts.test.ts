import * as tf from '@tensorflow/tfjs'
import { describe, expect, it, vi } from 'vitest'
import { SPECIAL } from '../../../engine/data/tokenizers/types.ts'
import { bert, gmlp } from '../../../engine/models/index.ts'
import { createModel } from '../../../engine/nn/model.ts'
import { resolveSize } from '../../../engine/nn/size.ts'
import type { Block } from '../../../engine/nn/types.ts'
import { pair, resolveTask, sequence, span, type TaskSpec, taskKind } from '../../../engine/tasks/index.ts'
import type { Batch, Task } from '../../../engine/tasks/types.ts'
import { adamw } from '../../../engine/train/optimizers/index.ts'
import { resolveRecipe } from '../../../engine/train/recipe.ts'
import { train } from '../../../engine/train/train.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { noFiles as none } from '../data/memory-files.ts'
import { collect, series } from '../train/toy.ts'

vi.mock('../../../engine/data/text/index.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./tiny-texts.ts')),
}))
onSimd()

async function open(spec: TaskSpec): Promise<Task> {
  const { task, options } = resolveTask(spec)
  return taskKind(task).open(options, none)
}

/** The first batch, as nested lists. */
async function firstOf(batches: AsyncGenerator<Batch>): Promise<Record<string, unknown>> {
  const { value } = await batches.next()
  const lists = Object.fromEntries(Object.entries(value as Batch).map(([name, tensor]) => [name, tensor.arraySync()]))
  tf.dispose(value)
  await batches.return(undefined)
  return lists
}

/** Metrics before and after some training. */
async function learn(task: Task, block: Block, steps: number) {
  const sizes = { dim: 16, depth: 1, ffn: 32, eps: 1e-6 }
  const model = createModel(task.model(block, resolveSize(block, sizes, 'm')), task.input, 1)
  const optimizer = adamw({ learningRate: 1e-2 })
  const recipe = resolveRecipe({ steps, batch: 16, optimizer, evalEvery: steps, warmup: 0 })
  const events = await collect(train({ model, task, recipe, seed: 1 }))
  expect(events.at(-1)?.type).toBe('done')
  model.dispose()
  return { last: (name: string) => series(events, name).at(-1), losses: series(events, 'train/loss') }
}

describe('sequence', () => {
  it('reads [CLS] text [SEP], padded, with its class', async () => {
    const batch = await firstOf((await open(sequence({ data: 'reviews', tokens: 9 }))).evalBatches('test', 2))
    const [first] = batch.input as number[][]
    expect([first?.[0], first?.[6], first?.[7]]).toEqual([SPECIAL.first, SPECIAL.separator, SPECIAL.pad])
    expect(batch.mask).toEqual([1, 2].map(() => [1, 1, 1, 1, 1, 1, 1, 0, 0]))
    expect(batch.types).toEqual([1, 2].map(() => [0, 0, 0, 0, 0, 0, 0, 0, 0]))
    expect(batch.target).toEqual([0, 1])
  })

  it('cuts what is too long, and keeps [SEP]', async () => {
    const [first] = (await firstOf((await open(sequence({ data: 'reviews', tokens: 5 }))).evalBatches('test', 1)))
      .input as number[][]
    expect(first).toHaveLength(5)
    expect(first?.at(-1)).toBe(SPECIAL.separator)
    expect(first).not.toContain(SPECIAL.pad)
  })

  it.each([
    ['gmlp', gmlp, 'first'],
    ['gmlp, mean', gmlp, 'mean'],
    ['bert', bert({ heads: 2, positions: 16 }), 'first'],
  ] as const)('is learned by %s', async (_, block, pool) => {
    const { last, losses } = await learn(await open(sequence({ data: 'reviews', tokens: 8, pool })), block, 40)
    expect(losses[0]).toBeCloseTo(Math.log(2), 1)
    expect(last('test/accuracy')).toBeGreaterThan(0.9)
  })

  it('has a hash that every option changes', async () => {
    const options = [
      {},
      { tokens: 32 },
      { pool: 'mean' },
      { tokenizer: { kind: 'characters' } },
      { data: 'fewReviews' },
    ]
    const tasks = options.map((more) => open(sequence({ data: 'reviews', ...more } as Parameters<typeof sequence>[0])))
    expect(new Set((await Promise.all(tasks)).map(({ hash }) => hash)).size).toBe(options.length)
  })

  it.each([
    [{ data: 'review' }, "task.data: unknown data set 'review' (did you mean 'reviews'?)"],
    [{ data: 'reviews', tokens: 4 }, 'task.tokens: 4, expected at least 5'],
    [{ data: 'reviews', pool: 'last' }, "task.pool: unknown value 'last'"],
    [{ data: 'reviews', token: 9 }, "task: unknown option 'token' (did you mean 'tokens'?)"],
    [{ data: 'reviews', tokenizer: { kind: 'word' } }, "task.tokenizer.kind: unknown value 'word'"],
  ])('refuses %j', (options, message) => {
    expect(() => resolveTask(sequence(options as Parameters<typeof sequence>[0]))).toThrow(message)
  })
})

describe('pair', () => {
  it('reads [CLS] first [SEP] second [SEP] as two segments', async () => {
    const batch = await firstOf((await open(pair({ data: 'claims', tokens: 13 }))).evalBatches('test', 1))
    const [ids, types, mask] = [batch.input, batch.types, batch.mask].map((rows) => (rows as number[][])[0])
    expect(ids?.map((id) => id === SPECIAL.separator)).toEqual(
      Array.from({ length: 13 }, (_, i) => i === 6 || i === 10),
    )
    expect(types).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0])
    expect(mask).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
  })

  it('is learned, and evaluated on all splits of the data set', async () => {
    const { last } = await learn(await open(pair({ data: 'claims', tokens: 12, pool: 'mean' })), gmlp, 150)
    expect(last('test/accuracy')).toBeGreaterThan(0.9)
    expect(last('mismatched/accuracy')).toBeGreaterThan(0.8)
  })

  it('has nothing to do with single texts', () => {
    expect(() => resolveTask(pair({ data: 'reviews' }))).toThrow("task.data: unknown data set 'reviews'")
  })
})

describe('span', () => {
  it('reads [CLS] question [SEP] passage [SEP] and where the answer is', async () => {
    const batch = await firstOf((await open(span({ data: 'homes2', tokens: 18, question: 5 }))).evalBatches('test', 3))
    const [ids, types] = [batch.input, batch.types].map((rows) => (rows as number[][])[1])
    expect(ids?.[5]).toBe(SPECIAL.separator)
    expect(types?.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 0, 1])
    expect((batch.target as number[][])[0]).toEqual([0, 0]) // nothing is said of zoe
    expect((batch.target as number[][])[1]?.[0]).toBe(10)
  })

  it.each(['homes', 'homes2'])('of %s is learned', async (data) => {
    const task = await open(span({ data, tokens: 18, question: 5 }))
    const { last, losses } = await learn(task, bert({ heads: 2, positions: 18 }), 150)
    expect(losses[0]).toBeCloseTo(Math.log(18), 0)
    expect(last('test/exact')).toBeGreaterThan(0.9)
    expect(last('test/f1')).toBeGreaterThanOrEqual(last('test/exact') as number)
  })

  it('evaluates all windows of as many questions as asked', async () => {
    const task = await open(span({ data: 'homes', tokens: 12, question: 5, stride: 2 }))
    let rows = 0
    for await (const batch of task.evalBatches('test', 4, 6)) {
      rows += batch.input.shape[0] ?? 0
      tf.dispose(batch)
    }
    expect(rows).toBeGreaterThan(6)
    expect(rows).toBeLessThan(30)
  })

  it.each([
    [{ tokens: 16 }, 'task.tokens: 16, expected at least 36, the question and 4'],
    [{ tokens: 64, stride: 30 }, 'task.stride: 30, expected at most 29, what is left for the passage'],
    [{ answer: 0 }, 'task.answer: 0, expected at least 1'],
    [{ nullThreshold: Number.NaN }, 'task.nullThreshold: '],
  ])('refuses %j', (options, message) => {
    expect(() => resolveTask(span({ data: 'homes', ...options }))).toThrow(message)
  })
})
