import * as tf from '@tensorflow/tfjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { imageData, shapes } from '../../../engine/data/images/index.ts'
import { pointData, solids } from '../../../engine/data/points/index.ts'
import { sceneData, scenes } from '../../../engine/data/scenes/index.ts'
import type { DatasetTable } from '../../../engine/data/table.ts'
import { corpora, pairData, spanData, textData, world } from '../../../engine/data/text/index.ts'
import { gmlp } from '../../../engine/models/index.ts'
import { compare } from '../../../engine/study/compare.ts'
import { openStudy } from '../../../engine/study/open.ts'
import { trainRun } from '../../../engine/study/trainRun.ts'
import { clm, image, mlm, pair, points, segment, sequence, span, type TaskSpec } from '../../../engine/tasks/index.ts'
import { onSimd } from '../backends/simd/setup.ts'
import { memoryFiles } from '../data/memory-files.ts'
import { memoryRuns } from './memory-runs.ts'

onSimd()
afterEach(() => vi.restoreAllMocks())

interface Reader {
  size?: number
  read(...given: unknown[]): Promise<unknown>
}
type Data = Record<'train' | 'validation' | 'test', Reader> & { others?: Record<string, Reader> }

/** How often each example was read, or each piece of running text, by split. */
type Counts = Record<string, Map<string, number>>

/** Counts the reads of each split of what a table opens from now on. */
function counting(table: unknown): Counts {
  const counts: Counts = {}
  const counted = (name: string, split: Reader): Reader => {
    const own = new Map<string, number>()
    counts[name] = own
    return {
      ...split,
      read: (...given) => {
        const [first] = given as [number | ArrayLike<number>]
        const asked = typeof first === 'number' ? [given.join('-')] : Array.from(first, String)
        for (const each of asked) own.set(each, (own.get(each) ?? 0) + 1)
        return split.read(...given)
      },
    }
  }
  const target = table as DatasetTable<Data>
  const open = target.open
  vi.spyOn(target, 'open').mockImplementation(async (...given) => {
    const data = await open(...given)
    const { train, validation, test, others = {} } = data
    return {
      ...data,
      train: counted('train', train),
      validation: counted('validation', validation),
      test: counted('test', test),
      others: Object.fromEntries(Object.entries(others).map(([name, split]) => [name, counted(name, split)])),
    }
  })
  return counts
}

const few = { train: 40, test: 12 }
const text = { tokens: 12, tokenizer: { vocabulary: 40 } }
const TASKS: [string, unknown, TaskSpec, string[]][] = [
  ['image', imageData, image({ data: shapes({ size: 16, ...few }) }), ['test']],
  ['points', pointData, points({ data: solids({ points: 16, ...few }) }), ['test']],
  ['sequence', textData, sequence({ data: world(few), ...text }), ['test']],
  ['pair', pairData, pair({ data: world(few), ...text }), ['test', 'mismatched']],
  ['span', spanData, span({ data: world({ ...few, difficulty: 0 }), ...text, tokens: 40, question: 12 }), ['test']],
  ['mlm', corpora, mlm({ data: world(few), ...text }), ['test']],
  ['clm', corpora, clm({ data: world(few), ...text }), ['test']],
  ['segment', sceneData, segment({ data: scenes({ size: 16, ...few }) }), ['test']],
]

const total = (counts: Map<string, number> = new Map()) => [...counts.values()].reduce((sum, count) => sum + count, 0)

describe.each(TASKS)('a data set that counts the reads of its splits, with the task %s', (_, table, task, tests) => {
  const study = compare('counted', {
    task,
    model: { patch: 4, dim: 8, depth: 1, ffnRatio: 2 },
    variants: { gmlp: gmlp({ causal: true }) }, // as `clm` asks
    train: { steps: 6, batch: 4, evalEvery: 2, logEvery: 1, snapshots: 2, checkpointEvery: { steps: 2 }, ema: 0.5 },
    seeds: 1,
  })

  /** Trains the run of the study; `stop` interrupts it after so many steps. */
  async function run(counts: Counts, stop = Number.POSITIVE_INFINITY) {
    const files = memoryFiles({})
    const runs = memoryRuns()
    const open = await openStudy(study, {}, files)
    const planned = open.planned[0] as (typeof open.planned)[number]
    const id = (await runs.beginRun({ ...planned, backend: 'simd', device: 'test' }))?.id ?? 0
    const abort = new AbortController()
    const before: Record<string, number>[] = []
    const names: string[] = []
    const readNow = () => Object.fromEntries(Object.entries(counts).map(([name, own]) => [name, total(own)]))
    const opened = readNow()
    for await (const event of trainRun(planned, id, open, { runs, signal: abort.signal })) {
      if (event.type === 'failed') throw new Error(event.message)
      names.push(event.type === 'metric' ? event.name : event.type)
      if (!names.includes('chosen/step')) before.push(readNow())
      if (event.type === 'step' && event.step === stop) abort.abort()
    }
    return { opened, before, names }
  }

  it('reads no test example before the last evaluation, and then each one once', async () => {
    const counts = counting(table)
    const tensors = tf.memory().numTensors
    const { opened, before, names } = await run(counts)
    expect(tf.memory().numTensors).toBe(tensors)
    expect(names.filter((name) => name.startsWith('validation/')).length).toBeGreaterThanOrEqual(9)
    for (const name of [...tests, 'validation']) expect([name, opened[name]]).toEqual([name, 0])
    // all evaluations by validation are among those events, and so is the choice
    for (const read of before) expect(tests.map((name) => read[name])).toEqual(tests.map(() => 0))
    for (const name of tests) {
      const own = counts[name] as Map<string, number>
      expect(own.size).toBeGreaterThan(0)
      expect([name, Math.max(...own.values())]).toEqual([name, 1])
    }
    const tested = names.findIndex((name) => tests.some((test) => name.startsWith(`${test}/`)))
    expect(names.slice(tested).filter((name) => /^(train|validation)\//.test(name) || name === 'step')).toEqual([])
  })

  it('trains on no validation example: they are read by evaluations alone', async () => {
    const counts = counting(table)
    const { before, names } = await run(counts)
    const readers = names.filter((_, i) => (before[i]?.validation ?? 0) > (before[i - 1]?.validation ?? 0))
    expect(new Set(readers)).toEqual(new Set(['validation/loss'])) // the first that an evaluation tells
  })

  it('reads no test example in a run that is interrupted', async () => {
    const counts = counting(table)
    const { names } = await run(counts, 5)
    expect(names.at(-1)).toBe('interrupted')
    expect(tests.map((name) => total(counts[name]))).toEqual(tests.map(() => 0))
  })
})
