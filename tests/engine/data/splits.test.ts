import { describe, expect, it } from 'vitest'
import { cifar, folder, idx, imageData, shapes } from '../../../engine/data/images/index.ts'
import { pointData, pointFiles, solids } from '../../../engine/data/points/index.ts'
import { splitThreeWays, validationCountBeside } from '../../../engine/data/splits.ts'
import { pairData, spanData, squad, textData, tsv, world } from '../../../engine/data/text/index.ts'
import type { DataSpec, Dataset, Pool, Split } from '../../../engine/data/types.ts'
import { MixlabError } from '../../../engine/errors.ts'
import { files } from '../../lock/files.ts'
import { idxImages, idxLabels } from './images/idx-bytes.ts'
import { plainPng } from './images/png-file.ts'
import { memoryFiles } from './memory-files.ts'

/** A pool whose examples are their places, of such classes or groups. */
function pool(more: Partial<Pool<number[]>>, size = 0): Pool<number[]> {
  const length = more.labels?.length ?? more.groups?.length ?? size
  return { size: length, read: async (indices) => Array.from(indices), ...more }
}
const everything = <Batch>(split: Split<Batch>) => split.read(Array.from({ length: split.size }, (_, i) => i))
const options = { validation: 0.1, seed: 0 }

async function divided(train: Pool<number[]>, given: Partial<Parameters<typeof splitThreeWays>[1]> = {}) {
  const parts = splitThreeWays({ train, classes: ['a', 'b', 'c'] }, { ...options, ...given })
  return { train: await everything(parts.train), validation: await everything(parts.validation) }
}
/** 60 examples: half of class 0, a third of class 1, a sixth of class 2. */
const labels = Array.from({ length: 60 }, (_, i) => [0, 1, 0, 1, 0, 2][i % 6] as number)
const counts = (rows: number[]) => [0, 1, 2].map((label) => rows.filter((row) => labels[row] === label).length)

describe('threeWays', () => {
  it('gives each example to one part, in order, and each class its share of both', async () => {
    const { train, validation } = await divided(pool({ labels }), { validation: 0.2 })
    expect([...train, ...validation].sort((a, b) => a - b)).toEqual(labels.map((_, i) => i))
    for (const part of [train, validation]) expect(part).toEqual([...part].sort((a, b) => a - b))
    expect([counts(validation), counts(train)]).toEqual([
      [6, 4, 2],
      [24, 16, 8],
    ])
  })

  it('is drawn by the seed', async () => {
    const of = async (seed: number) => (await divided(pool({ labels }), { seed })).validation
    expect(await of(0)).toEqual(await of(0))
    const others = await Promise.all([1, 2, 3].map(of))
    expect(others.some((rows) => String(rows) !== String(others[0]))).toBe(true)
  })

  it('takes so many training examples by class; a smaller number is part of a larger one', async () => {
    const of = async (train: number) => divided(pool({ labels }), { train })
    const all = await divided(pool({ labels }))
    const [three, twelve, twentyFour] = await Promise.all([3, 12, 24].map(of))
    expect(counts(three?.train ?? [])).toEqual([1, 1, 1])
    expect(counts(twelve?.train ?? [])).toEqual([6, 4, 2])
    expect(counts(twentyFour?.train ?? [])).toEqual([12, 8, 4])
    expect(twentyFour?.train).toEqual(expect.arrayContaining(twelve?.train ?? []))
    for (const part of [three, twelve, twentyFour]) expect(part?.validation).toEqual(all.validation)
    expect((await of(54)).train).toEqual(all.train)
  })

  it('never takes the last example of a class from training', async () => {
    const few = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2]
    for (const seed of [0, 1, 2, 3]) {
      const { train, validation } = await divided(pool({ labels: few }), { seed, validation: 0.3 })
      expect(validation).toHaveLength(3)
      expect(train).toEqual(expect.arrayContaining([8, 9]))
    }
  })

  it('does not divide what belongs together', async () => {
    const groups = Array.from({ length: 30 }, (_, i) => Math.floor(i / 3))
    const { train, validation } = await divided(pool({ groups }), { validation: 0.2 })
    expect(validation).toHaveLength(6)
    const of = (rows: number[]) => new Set(rows.map((row) => groups[row]))
    expect([...of(train)].filter((group) => of(validation).has(group))).toEqual([])
  })

  it('leaves a validation part of the source as it is', async () => {
    const own = pool({}, 5)
    const parts = splitThreeWays({ train: pool({ labels }), validation: own }, { ...options, train: 6 })
    expect(parts.validation).toBe(own)
    expect([
      parts.train.size,
      splitThreeWays({ train: pool({ labels }), validation: own }, options).train.size,
    ]).toEqual([6, 60])
  })

  it('refuses indices outside of a part', async () => {
    const { train } = splitThreeWays({ train: pool({ labels }) }, options)
    await expect(train.read([54])).rejects.toThrow('example 54 is outside 0..53')
  })

  it.each<[Pool<number[]>, Partial<Parameters<typeof splitThreeWays>[1]>, string]>([
    [pool({ labels }), { train: 55 }, 'task.data.train: 55, expected at most 54, all that are left'],
    [pool({ labels }), { train: 2 }, 'task.data.train: 2, expected at least 3, one of each class'],
    [
      pool({ labels: [0, 0, 0, 1, 1, 1] }),
      { validation: 0.9 },
      'task.data.validation: 0.9 leaves no training example of class',
    ],
    [pool({}, 4), { validation: 0.95 }, 'task.data.validation: 0.95 leaves nothing to train on; at most 3 of 4 can be'],
    [pool({ labels: [0, 1] }), {}, 'task.data: no class has more than 1 of 2 training examples'],
    [pool({ groups: [3, 3, 3] }), {}, 'task.data: all examples belong together'],
  ])('refuses a pool of %j with %j', (train, given, message) => {
    const divide = () => splitThreeWays({ train, classes: ['a', 'b', 'c'] }, { ...options, ...given })
    expect(divide).toThrow(message)
    expect(divide).toThrow(MixlabError)
  })
})

it('draws as many examples to validate on as would be cut off', () => {
  for (const train of [9, 90, 4096]) {
    const validation = validationCountBeside({ train, validation: 0.1 })
    expect(Math.round((train + validation) * 0.1)).toBe(validation)
  }
  expect(validationCountBeside({ train: 1, validation: 0.1 })).toBe(1)
})

/** Some images of ten classes, or files of them, for loaders whose fixtures are smaller. */
const many = memoryFiles({
  'idx/train-images-idx3-ubyte': idxImages(30),
  'idx/train-labels-idx1-ubyte': idxLabels(Array.from({ length: 30 }, (_, i) => i % 3)),
  ...Object.fromEntries(
    ['train', 'val', 'test'].flatMap((part, p) =>
      Array.from({ length: 12 }, (_, i) => [`three/${part}/${'ab'[i % 2]}/${i}.png`, plainPng(16, 16, 70 * p + i)]),
    ),
  ),
})
const few = { train: 20, test: 6 }
type Open = (options: object) => Promise<Dataset<unknown>>
const of =
  (
    table: { open(spec: DataSpec, source: typeof files): Promise<Dataset<unknown>> },
    spec: DataSpec,
    source = files,
  ): Open =>
  (more) =>
    table.open({ ...spec, options: { ...spec.options, ...more } }, source)

describe.each<[string, Open]>([
  ['shapes', of(imageData, shapes({ size: 16, ...few }))],
  ['solids', of(pointData, solids({ points: 8, ...few }))],
  ['world, texts', of(textData, world(few))],
  ['world, pairs', of(pairData, world(few))],
  ['world, questions', of(spanData, world(few))],
  ['idx', of(imageData, idx({ path: 'idx' }), many)],
  ['a folder of three parts', of(imageData, folder({ path: 'three', size: 16 }), many)],
  ['cifar', of(imageData, cifar({ path: 'cifar' }))],
  ['a folder', of(imageData, folder({ path: 'folder', size: 16 }))],
  ['point files', of(pointData, pointFiles({ path: 'clouds', points: 8 }))],
  ['tsv', of(textData, tsv({ path: 'sst', columns: { first: 'sentence', label: 'label' } }))],
  [
    'tsv of pairs',
    of(pairData, tsv({ path: 'mnli', columns: { first: 'sentence1', second: 'sentence2', label: 'gold_label' } })),
  ],
  ['squad', of(spanData, squad({ path: 'squad' }))],
])('%s', (_, open) => {
  it('has three parts without a common example', async () => {
    const { train, validation, test } = await open({})
    const parts = [train, validation, test]
    for (const { size } of parts) expect(size).toBeGreaterThan(0)
    const shown = await Promise.all(
      parts.map(async (part) => {
        const each = Array.from({ length: part.size }, async (_, i) => JSON.stringify(await part.read([i])))
        return new Set(await Promise.all(each))
      }),
    )
    const [trained, chosen, tested] = shown as [Set<string>, Set<string>, Set<string>]
    const common = (a: Set<string>, b: Set<string>) => [...a].filter((example) => b.has(example))
    expect([common(trained, chosen), common(trained, tested), common(chosen, tested)]).toEqual([[], [], []])
  })

  it('has the number of training examples and the share for validation in its hash, even the default', async () => {
    const { hash, train } = await open({})
    expect((await open({ validation: 0.1, seed: 0 })).hash).toBe(hash)
    const fewer = await open({ train: train.size - 1 })
    expect([fewer.train.size, fewer.hash === hash]).toEqual([train.size - 1, false])
  })

  it('checks the options', async () => {
    await expect(open({ validation: 0 })).rejects.toThrow('task.data.validation: 0, expected more than 0')
    await expect(open({ validation: 1 })).rejects.toThrow('task.data.validation: 1, expected less than 1')
    await expect(open({ train: 0 })).rejects.toThrow(/^task\.data\.train: 0, expected/)
  })
})

it('validates on the part of the source', async () => {
  const open = of(imageData, folder({ path: 'three', size: 16 }), many)
  const { validation, test } = await open({})
  expect([validation.size, test.size]).toEqual([12, 12])
  await expect(open({ validation: 0.2 })).rejects.toThrow(
    'task.data.validation: 0.2, but three/val is the validation part',
  )
})
