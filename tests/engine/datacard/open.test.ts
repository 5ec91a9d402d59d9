import * as tf from '@tensorflow/tfjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { dataset } from '../../../engine/data/own/dataset.ts'
import { bytesOf } from '../../../engine/datacard/parts.ts'
import { dataBody, type PartOf, type Sample, type SamplePart } from '../../../engine/datacard/schema.ts'
import { subjectOf } from '../../../engine/datacard/subject.ts'
import { forecast, image, mlm } from '../../../engine/tasks/index.ts'
import { named, opened } from './opened.ts'

beforeAll(async () => {
  await tf.setBackend('cpu')
})

/** A part of an example, of a type that it has to have. */
function partAt<Type extends SamplePart['type']>(parts: Sample['parts'], at: number, type: Type): PartOf<Type> {
  const part = parts[at]?.part
  if (part?.type !== type) throw new Error(`part ${at} is ${part?.type}, expected ${type}`)
  return part as PartOf<Type>
}

const few = { train: 40, test: 20 }

/** The seven kinds, and what the samples and the batches of each are made of. */
const KINDS: [string, unknown, string | undefined, string[], string[]][] = [
  ['image', named('shapes', { ...few, size: 16 }), undefined, ['image', 'class'], ['image', 'class']],
  ['text', named('world', few), 'sequence', ['tokens', 'class'], ['tokens', 'class']],
  ['running text', named('world', few), 'mlm', ['tokens'], ['tokens']],
  ['causal text', named('world', few), 'clm', ['tokens'], ['tokens', 'tokens']],
  ['pair', named('world', few), 'pair', ['tokens', 'tokens', 'class'], ['tokens', 'class']],
  ['span', named('world', few), 'span', ['tokens', 'tokens', 'class'], ['tokens']],
  ['point', named('solids', few), undefined, ['points', 'class'], ['points', 'class']],
  ['scene', named('scenes', { ...few, size: 16 }), undefined, ['image', 'mask'], ['image', 'mask']],
  ['series', named('seasons', few), undefined, ['series'], ['series']],
  ['named parts', named('discs', { ...few, size: 16 }), undefined, ['image', 'values'], ['image', 'values']],
]

describe.each(KINDS)('%s data', (_, value, task, ofSamples, ofBatch) => {
  it('have a card, samples and a batch as plain data, drawn by seed, and leave no tensor', async () => {
    const before = tf.memory().numTensors
    const data = await opened(value, undefined, task)
    const [card, samples, batch] = [
      await data.card(),
      await data.samples({ seed: 0, from: 0, count: 5 }),
      await data.batch({ seed: 1, step: 0, count: 5 }),
    ]
    expect(dataBody.parse(JSON.parse(JSON.stringify({ type: 'data', card, samples, batch })))).toMatchObject({ card })
    expect(card.hash).toMatch(/^[\da-f]{64}$/)
    const types = (parts: { part: SamplePart }[] = []) => parts.map(({ part }) => part.type)
    expect(types(samples.samples[0]?.parts)).toEqual(ofSamples)
    for (const { parts } of batch.samples) expect(types(parts).slice(0, ofBatch.length)).toEqual(ofBatch)
    expect(await data.samples({ seed: 0, from: 0, count: 5 })).toEqual(samples)
    expect(await data.batch({ seed: 1, step: 0, count: 5 })).toEqual(batch)
    expect(await data.samples({ seed: 1, from: 0, count: 5 })).not.toEqual(samples)
    expect(await data.batch({ seed: 2, step: 0, count: 5 })).not.toEqual(batch)
    expect(tf.memory().numTensors).toBe(before)
  })
})

it('goes on in the order of a seed, without an example twice, and starts again at its end', async () => {
  const data = await opened(named('shapes', { ...few, size: 16 }))
  const titles = async (from: number, count: number) =>
    (await data.samples({ seed: 4, from, count, split: 'test' })).samples.map(({ title }) => title)
  const all = [...(await titles(0, 12)), ...(await titles(12, 8))]
  expect(new Set(all).size).toBe(20)
  expect(await titles(12, 12)).toEqual([...all.slice(12), ...all.slice(0, 4)])
  const { title } = await data.samples({ seed: 4, from: 35, count: 9, split: 'test' })
  expect(title).toBe('test, 16 to 20 of 20 in the order of seed 4, then from the first one on')
})

it('shows pictures as the data have them, and what the recipe makes of a batch', async () => {
  const white = dataset('white', {
    train: 8,
    test: 2,
    shape: { image: [8, 8, 1] },
    classes: ['black', 'white'],
    make: (_, index) => ({ image: new Float32Array(64).fill(index % 2), label: index % 2 }),
  })
  const data = await opened(image({ data: white }))
  const greysOf = async (recipe: object) => {
    const { samples, notes } = await data.batch({ seed: 1, step: 0, count: 8, recipe })
    const greys = samples.map(({ parts }) => {
      const bytes = bytesOf(partAt(parts, 0, 'image'))
      return [new Set(bytes).size, bytes[0] as number, partAt(parts, 1, 'class').shares] as const
    })
    return { greys, notes }
  }
  const plain = await greysOf({ batch: 8 })
  for (const [values, first, shares] of plain.greys) {
    expect([values, shares]).toEqual([1, [{ name: first === 255 ? 'white' : 'black', share: 1 }]])
  }
  expect(plain.notes).toEqual([])
  const mixed = await greysOf({ batch: 8, mixup: 1 })
  expect(mixed.notes).toEqual(['The recipe changes training batches: mixup 1.'])
  const both = mixed.greys.filter(([, , shares]) => shares.length === 2)
  expect(both.length).toBeGreaterThan(0)
  for (const [, grey, shares] of both) {
    const white = shares.find(({ name }) => name === 'white')?.share ?? 0
    expect(grey / 255).toBeCloseTo(white, 1)
  }
})

it('marks what is masked, with the token that stood there', async () => {
  const data = await opened(mlm({ data: named('world', few), tokens: 24, mask: 0.5 }))
  const { samples } = await data.batch({ seed: 1, step: 0, count: 8 })
  const tokens = samples.flatMap(({ parts }) => partAt(parts, 0, 'tokens').tokens)
  expect(tokens.filter(({ was }) => was !== undefined)).toHaveLength(8 * 12)
  for (const { is, text, was } of tokens) {
    if (is === 'masked') expect(text).toBe('[MASK]')
    if (is === 'kept') expect(was).toBe(text)
    if (is === 'replaced') expect(was).not.toBe(text)
    expect(was === undefined).toBe(is !== 'masked' && is !== 'kept' && is !== 'replaced')
  }
})

it('marks the answer in its passage, in samples and in batches', async () => {
  const data = await opened(named('world', { train: 60, test: 20 }), undefined, 'span')
  const { samples } = await data.samples({ seed: 0, from: 0, count: 40 })
  for (const { parts } of samples) {
    const marked = partAt(parts, 1, 'tokens').tokens.some(({ is }) => is === 'answer')
    const [{ name = '' } = {}] = partAt(parts, 2, 'class').shares
    expect(marked).toBe(name === 'answered')
  }
  const batch = await data.batch({ seed: 0, step: 0, count: 40 })
  const answered = batch.samples.filter(({ parts }) => parts.length === 1)
  expect(answered.length).toBeGreaterThan(10)
  for (const { parts } of answered) {
    expect(partAt(parts, 0, 'tokens').tokens.some(({ is }) => is === 'answer')).toBe(true)
  }
})

it('joins what is read of a series with what is forecast, in the units of the data', async () => {
  const ramp = dataset('ramp', {
    train: 6,
    test: 2,
    make: (_, index) => ({ series: Array.from({ length: 20 }, (_, step) => [100 + step + 20 * (index % 2)]) }),
  })
  const data = await opened(forecast({ data: ramp, window: 6, horizon: 3 }))
  const { samples } = await data.batch({ seed: 1, step: 0, count: 4 })
  for (const { parts } of samples) {
    const { channels, from } = partAt(parts, 0, 'series')
    const values = channels[0] as number[]
    expect([values.length, from]).toEqual([9, 6])
    for (let i = 1; i < 9; i++) expect((values[i] as number) - (values[i - 1] as number)).toBeCloseTo(1, 1)
  }
})

it('reads data of a cell by what their examples hold', async () => {
  const made = (make: () => Record<string, number | string | number[] | number[][]>) =>
    opened(dataset('own', { train: 9, test: 3, make, ...('label' in make() && { classes: ['a', 'b'] }) }))
  const kinds: [string, () => Record<string, number | string | number[] | number[][]>][] = [
    ['sequence', () => ({ text: 'a b', label: 0 })],
    ['pair', () => ({ text: 'a b', second: 'c', label: 1 })],
    [
      'points',
      () => ({
        points: [
          [0, 0, 1],
          [1, 0, 0],
        ],
        label: 1,
      }),
    ],
    ['forecast', () => ({ series: Array.from({ length: 16 }, (_, i) => [i]) })],
    [
      'examples',
      () => ({
        features: [
          [1, 2],
          [3, 4],
        ],
        label: 1,
      }),
    ],
  ]
  for (const [task, make] of kinds) {
    const data = await made(make)
    const { samples } = await data.batch({ seed: 1, step: 0, count: 2 })
    expect([(await data.card()).task, samples.length]).toEqual([task, 2])
  }
})

it('refuses what there is not', async () => {
  const data = await opened(named('shapes', { ...few, size: 16 }))
  await expect(data.samples({ split: 'dev', seed: 0, from: 0, count: 1 })).rejects.toThrow(
    "split: unknown split 'dev' (known: train, validation, test)",
  )
  const clouds = await opened(named('solids', few))
  await expect(clouds.batch({ seed: 0, step: 0, count: 1, recipe: { mixup: 0.2 } })).rejects.toThrow(
    "train.mixup: task 'points' has no use for it, image has",
  )
})

it('knows data, tasks and studies, and no other value', () => {
  for (const value of [
    null,
    3,
    'shapes',
    [],
    {},
    { kind: 'task' },
    { dataset: 'shapes' },
    { dataset: 1, options: {} },
  ]) {
    expect(subjectOf(value)).toBeNull()
  }
  expect(subjectOf(named('shapes'))?.task.task).toBe('image')
})
