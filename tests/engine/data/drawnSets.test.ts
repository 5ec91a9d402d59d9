import { describe, expect, it } from 'vitest'
import { digest } from '../../../engine/data/digest.ts'
import type { FileSource } from '../../../engine/data/files.ts'
import { imageData } from '../../../engine/data/images/index.ts'
import { pointData } from '../../../engine/data/points/index.ts'
import { pairData, spanData, textData } from '../../../engine/data/text/index.ts'
import type { DataSpec, Dataset, Split } from '../../../engine/data/types.ts'
import { memoryFiles } from './memory-files.ts'

type Batch = { pixels?: Float32Array; points?: Float32Array; labels?: Int32Array }
type Refusal = [options: Record<string, unknown>, message: string]

interface Drawn {
  dataset: string
  table: { open(spec: DataSpec, files: FileSource): Promise<unknown> }
  /** What the data set says of itself. */
  facts: object
  /** How many classes take turns. */
  classes?: number
  /** Of the first examples to train on and to test on: digests of what is drawn, in steps of 1 / `steps`. */
  digests?: { count: number; options?: object; steps: number; train: string; test: string }
  /** Options that make another set of examples, beside those that all data sets have. */
  others: Record<string, unknown>[]
  refused: Refusal[]
}

const texts: Omit<Drawn, 'table'> = {
  ...{ dataset: 'world', facts: { name: 'world' }, others: [] },
  refused: [[{ sentences: 7 }, "unknown option 'sentences'"]],
}
const sets: [string, Drawn][] = [
  [
    'shapes',
    {
      ...{ dataset: 'shapes', table: imageData, facts: { name: 'shapes', shape: [32, 32, 3] }, classes: 10 },
      digests: { count: 10, steps: 255, train: '584fe8a3a79d8ac1', test: '0df48c0b4cc3aefc' },
      others: [{ size: 16 }],
      refused: [
        [{ size: 8 }, 'task.data.size: 8, expected at least 16'],
        [{ dificulty: 1 }, "unknown option 'dificulty' (did you mean 'difficulty'?)"],
      ],
    },
  ],
  [
    'glyphs',
    {
      ...{ dataset: 'glyphs', table: imageData, facts: { name: 'glyphs', shape: [28, 28, 1] }, classes: 26 },
      digests: {
        ...{ count: 36, options: { classes: 36 } },
        ...{ steps: 255, train: '69dfe8d78ddbd14c', test: 'ca2ca7fa6e52dbcb' },
      },
      others: [{ size: 16 }, { classes: 9 }],
      refused: [
        [{ size: 8 }, 'task.data.size: 8, expected at least 16'],
        [{ classes: 1 }, 'task.data.classes: 1, expected at least 2'],
        [{ classes: 37 }, 'task.data.classes: 37, expected at most 36'],
        [{ classes: 'ABC' }, "task.data.classes: 'ABC', expected a number"],
        [{ class: 3 }, "unknown option 'class' (did you mean 'classes'?)"],
      ],
    },
  ],
  [
    'textures',
    {
      ...{ dataset: 'textures', table: imageData, facts: { name: 'textures', shape: [32, 32, 1] }, classes: 10 },
      digests: { count: 10, steps: 255, train: '03302104b38ee095', test: '2031132367188fe5' },
      others: [{ size: 16 }],
      refused: [
        [{ size: 8 }, 'task.data.size: 8, expected at least 16'],
        [{ classes: 3 }, "unknown option 'classes' (known: difficulty,"],
      ],
    },
  ],
  [
    'solids',
    {
      ...{ dataset: 'solids', table: pointData, facts: { name: 'solids', points: 128 }, classes: 10 },
      // in 1/1000, for sines and cosines may differ in their last bits from one machine to another
      digests: { count: 10, steps: 1000, train: 'baa1ce2a9176f08f', test: '7d37602378a77a56' },
      others: [{ points: 64 }],
      refused: [
        [{ points: 4 }, 'task.data.points: 4, expected at least 8'],
        [{ points: 5000 }, 'task.data.points: 5000, expected at most 4096'],
        [{ dificulty: 1 }, "unknown option 'dificulty' (did you mean 'difficulty'?)"],
      ],
    },
  ],
  ['texts of the world', { ...texts, table: textData, classes: 2 }],
  ['pairs of the world', { ...texts, table: pairData, classes: 3 }],
  ['questions of the world', { ...texts, table: spanData }],
]

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const everything = ({ size, read }: Split<Batch>) => read(upTo(size))
const valuesOf = ({ pixels, points }: Batch) => pixels ?? points

/** The values of a batch in whole steps. */
function bytesOf(batch: Batch, steps: number): Uint8Array {
  const values = (valuesOf(batch) ?? new Float32Array()).map((value) => Math.round(value * steps))
  return steps < 256 ? Uint8Array.from(values) : new Uint8Array(new Int16Array(values).buffer)
}

/** Each example of a batch by itself. */
function singles(batch: Batch, size: number): string[] {
  const values = valuesOf(batch)
  if (!values) return upTo(size).map((i) => JSON.stringify(Object.values(batch).map((column) => column[i])))
  const length = values.length / size
  return upTo(size).map((i) => values.subarray(i * length, (i + 1) * length).join())
}

describe.each(sets)('%s', (_, { dataset, table, facts, classes, digests, others, refused }) => {
  const open = async (options: object = {}) =>
    (await table.open({ dataset, options: { train: 60, test: 40, ...options } }, memoryFiles({}))) as Dataset<Batch> & {
      classes?: string[]
    }
  it('say what they are, and have as many examples as asked for, within 0 to 1 or the unit ball', async () => {
    const data = await open()
    expect(data).toMatchObject({ ...facts, train: { size: 60 }, test: { size: 40 } })
    if (classes) expect(new Set(data.classes).size).toBe(classes)
    const least = 'points' in facts ? -1 : 0
    const values = valuesOf(await everything(data.train)) ?? []
    expect(values.every((value) => value >= least - 1e-6 && value <= 1 + 1e-6)).toBe(true)
  })
  if (digests) {
    it('are drawn as they always were', async () => {
      const { count, steps, options, train, test } = digests
      const data = await open(options)
      const drawn = await Promise.all([data.train, data.test].map(({ read }) => read(upTo(count))))
      expect(drawn.map((batch) => digest(bytesOf(batch, steps)).slice(0, 16))).toEqual([train, test])
    })
    it('have every class once in as many as there are classes, in another order each time', async () => {
      const count = classes ?? 0
      const { labels = [] } = await everything((await open({ train: 3 * count + 5 })).train)
      const rounds = [0, 1, 2].map((round) => [...labels.slice(round * count, (round + 1) * count)])
      for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(upTo(count))
      expect(new Set(labels.slice(3 * count)).size).toBe(5)
      expect(rounds[0]).not.toEqual(rounds[1])
    })
    it('are shared by no two parts, nor by seeds', async () => {
      const [zero, one] = [await open(), await open({ seed: 1 })]
      const parts = await Promise.all([zero.train, zero.test, one.train, one.test].map(everything))
      expect(new Set(parts.flatMap((batch) => singles(batch, batch.labels?.length ?? 0))).size).toBe(200)
    })
  }
  it('are the same again, whatever was read before, and whatever their number', async () => {
    const [one, fewer] = [await open(), await open({ train: 13 })]
    const whole = singles(await everything(one.train), 60)
    expect(singles(await fewer.train.read([9, 7]), 2)).toEqual([whole[9], whole[7]])
    expect(singles(await everything(fewer.train), 13)).toEqual(whole.slice(0, 13))
    expect(await everything((await open()).train)).toEqual(await everything(one.train))
  })
  it('have one hash for one set', async () => {
    const { hash } = await open()
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect((await open({ difficulty: 0.5, seed: 0 })).hash).toBe(hash)
    for (const options of [{ seed: 1 }, { difficulty: 0.6 }, { train: 61 }, { test: 41 }, ...others]) {
      expect((await open(options)).hash, JSON.stringify(options)).not.toBe(hash)
    }
  })
  it.each<Refusal>([
    [{ difficulty: 1.5 }, 'task.data.difficulty: 1.5, expected at most 1'],
    [{ difficulty: -1 }, 'task.data.difficulty: -1, expected at least 0'],
    [{ train: 0 }, 'task.data.train: 0, expected at least 1'],
    [{ test: 2.5 }, 'task.data.test: 2.5, expected a whole number'],
    [{ seed: '1' }, "task.data.seed: '1', expected a number"],
    [{ seed: 0.5 }, 'task.data.seed: 0.5, expected a whole number'],
    ...refused,
  ])('refuse %j', async (options, message) => {
    await expect(open(options)).rejects.toThrow(message)
  })
  it.each([-1, 60, 0.5, Number.NaN])('have no example %d of 60', async (index) => {
    await expect((await open()).train.read([0, index])).rejects.toThrow(`example ${index} is outside 0..59`)
  })
})
