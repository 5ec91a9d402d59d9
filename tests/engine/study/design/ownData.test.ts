import * as tf from '@tensorflow/tfjs'
import { describe, expect, it } from 'vitest'
import type { FileSource } from '../../../../engine/data/files.ts'
import * as mixlab from '../../../../engine/index.ts'
import { evaluateAll } from '../../../../engine/notebook/index.ts'
import type { Study } from '../../../../engine/study/compare.ts'
import { type KeyedSpec, keyOfRun } from '../../../../engine/study/key.ts'
import { openStudy } from '../../../../engine/study/open.ts'
import { needsCells } from '../../../../engine/study/recreate/rebuild.ts'
import { recreateNotebook } from '../../../../engine/study/recreate/recreate.ts'

const none = () => Promise.reject(new Error('none'))
const files: FileSource = { list: none, read: none }
const studyIn = async (text: string) => (await evaluateAll(text, { mixlab }, { console })).get('own')?.value as Study

/** The first run of a study whose data set is in a cell of its own. */
async function planned(make: string, { name = 'bars', data = 'bars', helper = '' } = {}) {
  const text = `// %% data
import { dataset } from 'mixlab'
${helper}
export const bars = dataset('${name}', { train: 8, test: 4, shape: { image: [4, 4, 1] }, make: ${make} })

// %% study
import { compare, image, mixer, permuted } from 'mixlab'
export const own = compare('s', {
  task: image({ data: ${data} }),
  model: { patch: 2, dim: 8, depth: 1 },
  train: { steps: 2, batch: 4 },
  variants: { mixer },
  seeds: 1,
})
`
  const { planned, origin } = await openStudy(await studyIn(text), {}, files)
  const run = planned[0] as (typeof planned)[number]
  return { ...run, origin }
}

const MAKE = '(random, index) => ({ image: new Float32Array(16).fill(random.uniform("a")), label: index % 2 })'

describe('data sets of cells in keys', () => {
  it('decide by their values, not by code, comments or names', async () => {
    const { key, spec } = await planned(MAKE)
    expect((await planned(`${MAKE} /* flat */`, { name: 'other' })).key).toBe(key)
    const helper = 'const parity = (i) => i - 2 * Math.floor(i / 2)'
    expect((await planned(MAKE.replace('index % 2', 'parity(index)'), { helper })).key).toBe(key)
    expect((await planned(MAKE.replace('"a"', '"b"'))).key).not.toBe(key)
    expect((await planned(MAKE, { data: 'permuted(bars)' })).key).not.toBe(key)
    expect(keyOfRun(spec as unknown as KeyedSpec)).toBe(key)
    expect(spec.task).toEqual({ kind: 'task', task: 'image', options: { data: { dataset: 'bars', options: {} } } })
    expect(structuredClone(spec)).toEqual(spec)
  })
  it.each(['bars', 'permuted(bars, { seed: 3 })'])('travel with their run: %s', async (data) => {
    const before = tf.memory().numTensors
    const { origin, ...run } = await planned(MAKE, { data })
    const stored = { id: 1, ...run, origin: origin && { ...origin, variant: 'mixer', notebook: null } }
    expect(needsCells(stored as Parameters<typeof needsCells>[0])).toBe(true)
    const again = await studyIn(recreateNotebook(stored as Parameters<typeof recreateNotebook>[0]))
    expect((await openStudy(again, {}, files)).planned[0]?.key).toBe(run.key)
    expect(() => recreateNotebook({ ...stored, origin: null } as Parameters<typeof recreateNotebook>[0])).toThrow(
      'cannot be recreated: the store has not the cell of its data',
    )
    expect(tf.memory().numTensors).toBe(before)
  })
  it('of one name are told apart', async () => {
    const text = (b: string) => `// %% data
import { compare, dataset, image, mixer } from 'mixlab'
const make = (value) => dataset('same', { train: 8, test: 4, make: (_, i) => ({ image: [[[value]]], label: i % 2 }) })
export const own = compare('s', {
  task: image({ data: make(0) }),
  model: { patch: 1, dim: 8, depth: 1 },
  train: { steps: 2, batch: 4 },
  variants: { a: mixer(), b: { block: mixer(), task: image({ data: make(${b}) }) } },
  seeds: 1,
})
`
    const keysOf = async (b: string) =>
      (await openStudy(await studyIn(text(b)), {}, files)).planned.map(({ key }) => key)
    const [a, b] = await keysOf('1')
    expect(a).not.toBe(b)
    const [c, d] = await keysOf('0')
    expect([c, d]).toEqual([a, a])
  })
})
