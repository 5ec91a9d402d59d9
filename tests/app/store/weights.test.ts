import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openObjects } from '../../../app/store/objects.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { type Histogram, histogramOf } from '../../../engine/records/histogram.ts'
import { storeIn, trainingStore } from './openedStores.ts'
import { begun, freshFolder, sampleRun } from './samples.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (content: Uint8Array) => new TextDecoder().decode(content)
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const start = (resumedAt: number): TrainEvent => ({ type: 'start', steps: 9, parameters: 7, resumedAt })
const snapshot = (step: number, text = `weights ${step}`): TrainEvent => ({
  ...{ type: 'snapshot', step, weights: bytes(text) },
})

const spread = (scale: number): Histogram => histogramOf(Float32Array.from({ length: 900 }, (_, i) => (i % 30) * scale))
const spreads = (step: number): TrainEvent => ({
  ...{ type: 'histograms', step },
  weights: { 'blocks.10.b': spread(step), 'blocks.2.a': spread(2) },
  gradients: { 'blocks.2.a': spread(0.5) },
})

describe('histograms', () => {
  it('are read as they were written, all or those of one tensor, step by step', () => {
    const { store, id } = trainingStore()
    store.record(id, [start(0), spreads(1), spreads(2)])
    expect(store.listHistograms(id)).toEqual(['blocks.2.a', 'blocks.10.b'])
    expect(store.readHistograms(id)).toHaveLength(6)
    const [first, second, ...more] = store.readHistograms(id, 'blocks.10.b')
    expect(more).toEqual([])
    for (const [step, row] of [
      [1, first],
      [2, second],
    ] as const) {
      const { mean, sd, ...exact } = spread(step)
      expect(row).toMatchObject({ name: 'blocks.10.b', kind: 'weights', step, ...exact })
      expect(row?.mean).toBeCloseTo(mean, 4)
      expect(row?.sd).toBeCloseTo(sd, 4)
    }
    expect(store.readHistograms(id, 'blocks.2.a').map(({ kind, step }) => [kind, step])).toEqual([
      ['gradients', 1],
      ['gradients', 2],
      ['weights', 1],
      ['weights', 2],
    ])
  })
  it('keep any count, and what is not finite', () => {
    const { store, id } = trainingStore()
    const counts = [0, 1, 127, 128, 16_384, 5_000_000_000]
    const odd: Histogram = { min: -1, max: 1, mean: 0, sd: 0.5, notFinite: 300, counts }
    store.record(id, [start(0), { type: 'histograms', step: 1, weights: { w: odd }, gradients: {} }])
    const moved: Histogram = { ...spread(1), notFinite: 0, update: 0.25 }
    store.record(id, [{ type: 'histograms', step: 2, weights: { v: moved }, gradients: { v: spread(2) } }])
    expect(store.readHistograms(id, 'v').map(({ update }) => update)).toEqual([undefined, 0.25])
    const norm = Math.hypot(...Array.from({ length: 900 }, (_, i) => i % 30))
    const [other, norms] = store.readNorms(id)
    expect(norms).toMatchObject({ name: 'v', step: 2, update: 0.25 })
    expect(norms?.weights).toBeCloseTo(norm, 2)
    expect(norms?.gradients).toBeCloseTo(2 * norm, 2)
    expect(other).toEqual({ name: 'w', step: 1, weights: null, gradients: null, update: null })
    expect(store.readHistograms(id, 'w')).toEqual([{ name: 'w', kind: 'weights', step: 1, ...odd }])
  })
  it('are none for what has none, and an error for an unknown run', () => {
    const { store, id } = trainingStore()
    expect([store.listHistograms(id), store.readHistograms(id), store.readHistograms(id, 'x')]).toEqual([[], [], []])
    for (const read of [store.listHistograms, store.readHistograms, store.listWeights]) {
      expect(() => read(99)).toThrow('run 99: no such run')
    }
  })
  it('after the checkpoint are void when the run goes on', () => {
    const { store, id } = trainingStore()
    store.record(id, [start(0), spreads(2), spreads(4), { type: 'interrupted', step: 4 }])
    store.beginRun(sampleRun())
    store.record(id, [start(3)])
    expect(new Set(store.readHistograms(id).map(({ step }) => step))).toEqual(new Set([2]))
  })
})

describe('weights on the way', () => {
  it('are listed by step beside the best and the last, and read by any of these', () => {
    const { store, id } = trainingStore()
    expect(store.listWeights(id)).toEqual([])
    store.record(id, [start(0), snapshot(0), snapshot(4)])
    store.record(id, [{ type: 'checkpoint', step: 6, weights: bytes('last'), best: bytes('best') }])
    store.record(id, [{ type: 'step', step: 8, ms: 1 }])
    expect(store.listWeights(id)).toEqual([
      { which: 0, step: 0 },
      { which: 4, step: 4 },
      { which: 'best', step: 6 },
      { which: 'last', step: 6 },
    ])
    expect(([0, 4, 'best', 'last'] as const).map((which) => textOf(store.readWeights(id, which)))).toEqual([
      ...['weights 0', 'weights 4', 'best', 'last'],
    ])
    store.record(id, [snapshot(7), { type: 'checkpoint', step: 9, weights: bytes('last') }])
    expect(store.listWeights(id).map(({ which }) => which)).toEqual([0, 4, 'best', 7, 'last'])
    // of the step at which they were taken, which is before that of the checkpoint
    store.record(id, [{ type: 'checkpoint', step: 12, weights: bytes('last'), best: bytes('best'), bestStep: 10 }])
    expect(store.listWeights(id).slice(-2)).toEqual([
      { which: 'best', step: 10 },
      { which: 'last', step: 12 },
    ])
    expect(() => store.readWeights(id, 5)).toThrow(`run ${id}: has no weights of step 5`)
    expect(() => store.record(id, [snapshot(5, '')])).toThrow('snapshot.weights: must not be empty')
  })
  it('after the checkpoint are void when the run goes on, and removed where no other run keeps the same', () => {
    const folder = freshFolder()
    const store = storeIn(folder)
    const objects = openObjects(join(folder, '.mixlab/objects'))
    const [id, other] = ['a', 'b'].map((variant) => begun(store.beginRun(sampleRun({ variant })))) as [number, number]
    store.record(other, [start(0), snapshot(5, 'same')])
    store.record(id, [start(0), snapshot(0), snapshot(4), snapshot(5, 'same'), { type: 'interrupted', step: 5 }])
    store.beginRun(sampleRun({ variant: 'a' }))
    store.record(id, [start(3)])
    expect(store.listWeights(id)).toEqual([{ which: 0, step: 0 }])
    expect(['weights 0', 'weights 4', 'same'].map((text) => objects.has(hashOf(text)))).toEqual([true, false, true])
    store.record(id, [snapshot(4, 'again')])
    expect(textOf(store.readWeights(id, 4))).toBe('again')
  })
  it('survive the sweep of what no run keeps', () => {
    const folder = freshFolder()
    const first = storeIn(folder)
    const id = begun(first.beginRun(sampleRun()))
    first.record(id, [start(0), snapshot(0), { type: 'done', step: 1 }])
    first.close()
    const second = storeIn(folder)
    second.beginRun(sampleRun({ variant: 'next' })) // sweeps
    expect(textOf(second.readWeights(id, 0))).toBe('weights 0')
  })
})
