import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { DataSpec, Field, FieldDataset } from '../../../engine/data/types.ts'
import * as mixlab from '../../../engine/index.ts'
import {
  compare,
  dataset,
  gmlp,
  image,
  meanSquaredError,
  mixer,
  r2,
  sequence,
  shapes,
  task,
} from '../../../engine/index.ts'
import { evaluateAll } from '../../../engine/notebook/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { Study, StudySpec } from '../../../engine/study/compare.ts'
import { executeStudy } from '../../../engine/study/execute.ts'
import { type KeyedSpec, keyOfRun } from '../../../engine/study/key.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { recreateNotebook } from '../../../engine/study/recreate/recreate.ts'
import type { TaskOptions, TaskSpec } from '../../../engine/tasks/index.ts'
import { noFiles as files } from '../data/memory-files.ts'
import { memoryRuns } from '../study/memory-runs.ts'

const data = shapes({ size: 16, train: 32, test: 10 })
const sizes: Omit<StudySpec, 'task' | 'variants'> = {
  model: { patch: 8, dim: 4, depth: 1 },
  train: { steps: 2, batch: 4, evalEvery: 2, histograms: false },
  seeds: 1,
}

/** A data set of examples of these parts, all of their numbers i % 3. */
function parts(fields: Record<string, Field>): DataSpec {
  const read = async (indices: ArrayLike<number>) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { shape, dtype }]) => {
        const values = Array.from({ length: indices.length * tf.util.sizeFromShape([...shape]) }, (_, i) => i % 3)
        return [name, dtype === 'int32' ? Int32Array.from(values) : Float32Array.from(values)]
      }),
    )
  const split = { size: 8, read }
  const opened: FieldDataset = { name: 'own', hash: 'own', fields, train: split, validation: split, test: split }
  const defined = { kind: 'data', name: 'own', decides: {}, resolve: () => ({}), open: async () => opened }
  return { dataset: 'own', options: {}, defined }
}

async function eventsOf(own: TaskSpec, block = mixer): Promise<TrainEvent[]> {
  const runs = memoryRuns()
  const study = compare('s', { ...sizes, task: own, variants: { mixer: block } })
  for await (const _ of executeStudy(study, { runs, files, backend: { name: 'cpu', device: 'test' } }));
  return runs.started[0]?.events ?? []
}

const metricsOf = (events: TrainEvent[]) =>
  Object.fromEntries(events.flatMap((event) => (event.type === 'metric' ? [[event.name, event.value]] : [])))
const failure = (events: TrainEvent[]) => events.find((event) => event.type === 'failed')?.message
const image3: Field = { shape: [16, 16, 3], dtype: 'float32' }

describe('a task on named parts of examples', () => {
  it('classifies where the target has classes, and leaves no tensors', async () => {
    const before = tf.memory().numTensors
    const events = await eventsOf(task('again', { data }))
    const same = await eventsOf(image({ data }))
    expect(tf.memory().numTensors).toBe(before)
    for (const name of ['train/loss', 'validation/accuracy', 'test/accuracy', 'test/loss']) {
      expect(metricsOf(events)[name]).toBe(metricsOf(same)[name])
    }
    expect(events.find((event) => event.type === 'report')).toEqual(same.find((event) => event.type === 'report'))
  })
  it.each<[string, Record<string, Field>, Partial<TaskOptions>]>([
    ['a number', { image: image3, area: { shape: [], dtype: 'float32' } }, {}],
    [
      'a class of each pixel',
      { image: image3, mask: { shape: [16, 16], dtype: 'int32', classes: ['a', 'b', 'c'] } },
      {},
    ],
    ['a number of each token', { x: { shape: [6, 2], dtype: 'float32' }, y: { shape: [6, 1], dtype: 'float32' } }, {}],
    ['what comes next', { past: { shape: [6, 2], dtype: 'float32' }, next: { shape: [3, 2], dtype: 'float32' } }, {}],
    [
      'a class of a text',
      {
        text: { shape: [6], dtype: 'int32', classes: ['a', 'b', 'c'] },
        y: { shape: [], dtype: 'int32', classes: ['a', 'b', 'c'] },
      },
      {},
    ],
    [
      'a class of each token',
      {
        text: { shape: [6], dtype: 'int32', classes: ['a', 'b', 'c'] },
        y: { shape: [6], dtype: 'int32', classes: ['a', 'b', 'c'] },
      },
      {},
    ],
    [
      'what its head gives',
      { image: image3, y: { shape: [2, 5], dtype: 'float32' } },
      { head: (x, _size, n) => mixlab.tokenDense(mixlab.dense(x, n), { tokens: 2 }) },
    ],
    ['numbers for a loss alone', { image: image3 }, { target: null, outputs: 3, loss: (y) => tf.mean(tf.square(y)) }],
  ])('asks for %s', async (_, fields, more) => {
    const events = await eventsOf(task('own', { data: parts(fields), ...more } as TaskOptions))
    expect(failure(events)).toBeUndefined()
    expect(Number.isFinite(metricsOf(events)['test/loss'])).toBe(true)
  })
  it('may compute what is read and asked for', async () => {
    const pairs = task('pairs', {
      data,
      input: ({ image }) => tf.concat([image as tf.Tensor, tf.reverse(image as tf.Tensor, 2)]),
      target: null,
      outputs: 4,
      loss: (y) => {
        const [a, b] = tf.split(y, 2) as [tf.Tensor, tf.Tensor]
        return meanSquaredError(a, b)
      },
      metric: 'loss',
    })
    expect(failure(await eventsOf(pairs))).toBeUndefined()
  })
  it.each<[string, () => TaskSpec, string]>([
    [
      'another shape of loss',
      () => task('mask', { data, loss: (y) => y }),
      "loss of 'mask': [2, 10], expected one number",
    ],
    [
      'no loss',
      () => task('mask', { data, loss: () => undefined as unknown as tf.Tensor }),
      "loss of 'mask': returned nothing, expected one number",
    ],
    [
      'another shape of head',
      () => task('mask', { data, head: (x) => x }),
      'head: returned [1, 4, 4], but the task takes [1, 10]',
    ],
    [
      'a part that is not there',
      () => task('mask', { data, target: 'labl' }),
      "target of 'mask': its data set has no part 'labl' (did you mean 'label'?)",
    ],
    [
      'a part without examples',
      () => task('mask', { data, input: () => tf.scalar(1) }),
      "input of 'mask': expected a tensor [batch, ...]",
    ],
    [
      'no outputs',
      () => task('mask', { data, target: null }),
      "task 'mask': has no target, expected outputs: how many numbers the model gives",
    ],
    [
      'another metric',
      () => task('mask', { data, metric: 'acuracy' }),
      "s.metric: unknown metric 'test/acuracy' (did you mean 'test/accuracy'?)",
    ],
    [
      'outputs without a head',
      () => task('mask', { data, outputs: [3, 4] }),
      "task 'mask': there is no usual head from [16,16,3] to outputs [3,4]; give one, head: (x, size, n) => prediction",
    ],
    [
      'an unknown option',
      () => task('mask', { data, los: 1 } as unknown as TaskOptions),
      "task 'mask': unknown option 'los' (did you mean 'loss'?)",
    ],
    [
      'an unknown data set',
      () => task('mask', { data: 'shaps' }),
      "task.data: unknown data set 'shaps' (did you mean 'shapes'?)",
    ],
    [
      'a loss that is no function',
      () => task('mask', { base: image({ data }), loss: 1 } as unknown as TaskOptions),
      "task 'mask'.loss: 1, expected a function (prediction, target, batch) => one number",
    ],
    ['a name that is taken', () => task('image', { data }), "task: 'image' is built in; take another name"],
  ])('refuses %s', async (_, own, problem) => {
    const before = tf.memory().numTensors
    const found = await Promise.resolve()
      .then(async () => failure(await eventsOf(own())))
      .catch((error: Error) => error.message)
    expect(found).toBe(problem)
    expect(tf.memory().numTensors).toBe(before)
  })
})

const notebook = (
  loss: string,
  { helper = 'const scale = 2', name = 'own', variant = 'mixer', turned = false } = {},
) => `// %% task
import { crossEntropy, image, mul, shapes, task } from 'mixlab'
${helper}
export const own = task('${name}', {
  ${turned ? `loss: ${loss},` : ''}
  base: image({ data: shapes({ size: 16, train: 32, test: 10 }) }),
  ${turned ? '' : `loss: ${loss},`}
})

// %% study
import { compare, ${variant} } from 'mixlab'
export const study = compare('s', {
  task: own,
  model: { patch: 8, dim: 4, depth: 1 },
  train: { steps: 2, batch: 4 },
  variants: { ${variant} },
  seeds: 1,
})
`
const studyIn = async (text: string) => (await evaluateAll(text, { mixlab }, { console })).get('study')?.value as Study

async function planned(loss: string, options = {}) {
  const { planned, origin } = await openStudy(await studyIn(notebook(loss, options)), {}, files)
  return { ...(planned[0] as (typeof planned)[number]), origin }
}

const LOSS = '(logits, target) => mul(crossEntropy(logits, target), scale)'

describe('a task with a loss of a cell', () => {
  it('is in the key by what it does', async () => {
    const { key, spec } = await planned(LOSS)
    expect(keyOfRun(structuredClone(spec) as unknown as KeyedSpec)).toBe(key)
    expect((await planned(`${LOSS} // twice`)).key).toBe(key)
    expect((await planned(LOSS, { turned: true })).key).toBe(key)
    expect((await planned(LOSS, { name: 'other' })).key).toBe(key)
    expect((await planned(LOSS, { helper: 'const scale = 3' })).key).not.toBe(key)
    expect((await planned('(logits, target) => mul(crossEntropy(logits, target), scale + 0)')).key).not.toBe(key)
    expect(spec.task).toMatchObject({ task: 'own', options: { data: { dataset: 'shapes' } } })
  })
  it('travels with its run', async () => {
    const { origin, ...run } = await planned(LOSS)
    const stored = { id: 1, ...run, origin: origin && { ...origin, variant: 'mixer', notebook: null } }
    const again = recreateNotebook(stored as Parameters<typeof recreateNotebook>[0])
    const [study] = [...(await evaluateAll(again, { mixlab }, { console })).values()].flatMap(({ value }) =>
      (value as Study)?.kind === 'study' ? [value as Study] : [],
    )
    expect((await openStudy(study as Study, {}, files)).planned[0]?.key).toBe(run.key)
  })
  it('is another task beside the first in one study', async () => {
    const base = image({ data })
    const [once, twice] = [1, 2].map((by) => task('own', { base, loss: (y) => tf.mul(tf.mean(tf.square(y)), by) }))
    const study = compare('s', {
      ...sizes,
      task: base,
      variants: {
        gmlp,
        once: { block: gmlp, task: once },
        twice: { block: gmlp, task: twice },
      } as StudySpec['variants'],
    })
    const { variants } = await openStudy(study, {}, files).catch((error: Error) => ({ variants: error.message }))
    expect(variants).toContain('cannot be told apart')
  })
  it('is what a variant is called by, not its data', async () => {
    const soft = task('soft', { base: image({ data }), loss: (y) => tf.mean(tf.square(y)) })
    const study = compare('s', {
      ...sizes,
      task: image({ data }),
      block: gmlp,
      variants: { labels: {}, soft: { task: soft } },
    })
    const { design } = await openStudy(study, {}, files)
    expect(design.variants.map(({ settings }) => settings)).toEqual([{ task: 'image' }, { task: 'soft' }])
  })
  it('measures other metrics, too', async () => {
    const events = await eventsOf(task('own', { base: image({ data }), metrics: [r2], metric: 'loss' }))
    expect(Object.keys(metricsOf(events))).toContain('test/r2')
    expect(Object.keys(metricsOf(events))).not.toContain('test/accuracy')
  })
})

describe('a task on the texts of a data set of a cell', () => {
  const words = ['red', 'green', 'blue', 'and', 'or']
  const texts = dataset('texts', {
    ...{ train: 24, validation: 6, test: 6 },
    make: (random) => {
      const label = random.balanced('label', 2)
      const said = () => [0, 1, 2].map(() => words[random.integer('word', 3)]).join(' ')
      return { text: `${said()} ${words[3 + label]}`, second: said(), score: random.normal('score'), label }
    },
  })
  const single = dataset('single', {
    ...{ train: 24, validation: 6, test: 6 },
    make: (random) => ({ text: `${words[random.integer('word', 3)]} ${words[3 + (random.part === 'test' ? 1 : 0)]}` }),
  })
  const labelled = dataset('labelled', {
    ...{ train: 24, validation: 6, test: 6 },
    make: (random) => {
      const label = random.balanced('label', 2)
      return { text: `${words[random.integer('word', 3)]} ${words[3 + label]}`, label }
    },
  })

  it('is what sequence() is, where it asks for the class, and leaves no tensors', async () => {
    const before = tf.memory().numTensors
    const own = metricsOf(await eventsOf(task('again', { data: labelled, tokens: 8 })))
    const same = metricsOf(await eventsOf(sequence({ data: labelled, tokens: 8, pool: 'mean' })))
    expect(tf.memory().numTensors).toBe(before)
    expect(own['test/accuracy']).toBeGreaterThanOrEqual(0)
    for (const name of ['train/loss', 'validation/accuracy', 'test/accuracy', 'test/loss']) {
      expect(own[name]).toBe(same[name])
    }
  })
  it('asks for any other part of pairs, or for the tokens themselves', async () => {
    const closeness = await eventsOf(task('closeness', { data: texts, tokens: 12, target: 'score' }))
    expect([failure(closeness), Number.isFinite(metricsOf(closeness)['test/r2'])]).toEqual([undefined, true])
    const copies = await eventsOf(task('copies', { data: single, tokens: 6 }))
    expect([failure(copies), Number.isFinite(metricsOf(copies)['test/accuracy'])]).toEqual([undefined, true])
  })
  it('has length and tokenizer in its hash, and keeps the tokenizer', async () => {
    const open = async (options: object) => {
      const { options: resolved, defined } = task('own', { data: texts, target: 'score', tokens: 12, ...options })
      return defined?.open(resolved, files)
    }
    const [own, again] = [await open({}), await open({})]
    const others = [await open({ tokens: 10 }), await open({ tokenizer: { kind: 'characters' } })]
    expect(new Set([own, again, ...others].map((each) => each?.hash)).size).toBe(3)
    expect(own?.files?.['tokenizer.json']).toContain('green')
    expect(own?.preparation).toMatchObject({ kind: 'text', template: '[CLS] first [SEP] second [SEP]', pool: 'mean' })
  })
  it.each([
    [{ data, tokens: 8 }, "task.tokens: 8, expected none: data set 'shapes' has no text"],
    [{ data: texts, tokens: 2 }, "task 't'.tokens: 2, expected at least 5"],
    [{ data: texts, tokenizer: {} }, "task 't'.tokenizer: expected tokens, a length, beside it"],
    [{ data: texts, tokens: 8, tokenizer: { kind: 'letters' } }, 'task.tokenizer.kind: '],
    [{ data: texts, input: 'text' }, "input of 't': its data set has no part 'text'"],
  ])('refuses %j', async (options, message) => {
    const open = async () => {
      const { options: resolved, defined } = task('t', options as TaskOptions)
      await defined?.open(resolved, files)
    }
    await expect(open()).rejects.toThrow(message)
  })
})
