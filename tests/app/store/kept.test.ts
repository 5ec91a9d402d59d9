import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import { openObjects } from '../../../app/store/objects.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { type Histogram, histogramOf } from '../../../engine/records/histogram.ts'
import type { RunReport } from '../../../engine/records/report.ts'
import { designOf } from '../../designs.ts'
import { madeStore, outcomes } from './madeStore.ts'
import { freshStore, storeIn, trainingStore } from './openedStores.ts'
import { begun, freshFolder, freshWorkspace, makeOldStore, metricEvents, sampleRun } from './samples.ts'

describe('weights and histograms', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const textOf = (content: Uint8Array) => new TextDecoder().decode(content)
  const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

  const start = (resumedAt: number): TrainEvent => ({ type: 'start', steps: 9, parameters: 7, resumedAt })
  const snapshot = (step: number, text = `weights ${step}`): TrainEvent => ({
    ...{ type: 'snapshot', step, weights: bytes(text) },
  })

  const spread = (scale: number): Histogram =>
    histogramOf(Float32Array.from({ length: 900 }, (_, i) => (i % 30) * scale))
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
      const folder = freshWorkspace()
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
      const folder = freshWorkspace()
      const first = storeIn(folder)
      const id = begun(first.beginRun(sampleRun()))
      first.record(id, [start(0), snapshot(0), { type: 'done', step: 1 }])
      first.close()
      const second = storeIn(folder)
      second.beginRun(sampleRun({ variant: 'next' })) // sweeps
      expect(textOf(second.readWeights(id, 0))).toBe('weights 0')
    })
  })
})

describe('outcomes of examples', () => {
  const start = { type: 'start', steps: 2, parameters: 1 } as const
  function opened() {
    const made = madeStore()
    onTestFinished(() => made.store.close())
    return made
  }
  const came = { type: 'outcomes', step: 2, outcomes } as const

  it('are kept as one object, which goes with the last run that has it', () => {
    const { store, folder, done, running } = opened()
    expect(store.readOutcomes(done)).toEqual(outcomes)
    expect(store.readOutcomes(running)).toEqual(outcomes)
    store.record(running, [{ ...start, resumedAt: 0 }])
    expect(store.readOutcomes(running)).toBeNull() // it begins anew
    expect(store.readOutcomes(done)).toEqual(outcomes)
    expect(folder).toBeTruthy()
  })

  it('can be made up for a run that is done and has none, once', () => {
    const { store } = opened()
    const id = begun(store.beginRun(sampleRun({ variant: 'old' })))
    store.record(id, [start])
    expect(() => store.keepOutcomes(id, outcomes)).toThrow(`run ${id}: is not done`)
    store.record(id, [{ type: 'done', step: 2 }])
    expect(store.readOutcomes(id)).toBeNull()
    for (let time = 0; time < 2; time++) store.keepOutcomes(id, outcomes)
    expect(store.readOutcomes(id)).toEqual(outcomes)
  })

  it('are made whole by evaluating again where their object is damaged or gone', () => {
    const { store, folder, done } = opened()
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map(({ parentPath, name }) => join(parentPath, name))
    const path = paths.find((each) => readFileSync(each).equals(outcomes)) ?? ''
    for (const harm of [() => writeFileSync(path, 'else'), () => rmSync(path)]) {
      harm()
      expect(() => store.readOutcomes(done)).toThrow(/is damaged|are missing/)
      store.keepOutcomes(done, outcomes)
      expect(store.readOutcomes(done)).toEqual(outcomes)
    }
  })

  it('are refused where they are none, or too large', () => {
    const { store, done, running } = opened()
    const record = (bytes: Uint8Array) => () => store.record(running, [{ ...came, outcomes: bytes }])
    expect(record(new Uint8Array(9))).toThrow('cannot be read')
    expect(record(new Uint8Array(30_001))).toThrow('outcomes of 30001 bytes, expected at most 30000')
    expect(() => store.keepOutcomes(done, new Uint8Array(3))).toThrow('cannot be read')
    expect(() => store.readOutcomes(99)).toThrow('no such run')
  })
})

/** A report that is told from others by a name. */
function reportOf(name: string): RunReport {
  const wrong = [{ index: 7, label: 0, predicted: 1, probability: 0.9 }]
  const confusion = [
    [3, 1],
    [0, 0],
  ]
  return { eval: { kind: 'classification', classes: [name, 'ö"\n'], confusion, accuracy: [0.75, null], wrong } }
}

describe('readReport', () => {
  it('gives what was recorded, over a reopening too, and each run its own', () => {
    const folder = freshWorkspace()
    const first = storeIn(folder)
    const [a, b] = ['a', 'b'].map((variant) => begun(first.beginRun(sampleRun({ variant }))))
    const masked: RunReport = {
      matched: reportOf('c').eval as RunReport[string],
      eval: { kind: 'maskedTokens', texts: [{ index: 0, tokens: ['a'], masked: [] }] },
    }
    first.record(a ?? 0, [{ type: 'report', step: 4, report: reportOf('a') }])
    first.record(b ?? 0, [{ type: 'report', step: 4, report: masked }])
    expect(first.readReport(a ?? 0)).toEqual(reportOf('a'))
    first.close()
    const store = storeIn(folder)
    expect(store.readReport(a ?? 0)).toEqual(reportOf('a'))
    expect(store.readReport(b ?? 0)).toEqual(masked)
  })

  it('gives the last of a run, in one batch or in two', () => {
    const { store, id } = trainingStore()
    store.record(id, [
      { type: 'report', step: 2, report: reportOf('first') },
      { type: 'report', step: 4, report: reportOf('second') },
    ])
    expect(store.readReport(id)).toEqual(reportOf('second'))
    store.record(id, [{ type: 'report', step: 6, report: reportOf('third') }])
    expect(store.readReport(id)).toEqual(reportOf('third'))
  })

  it('gives null for a run that told nothing, and names one that is not there', () => {
    const store = freshStore()
    expect(store.readReport(begun(store.beginRun(sampleRun())))).toBeNull()
    expect(() => store.readReport(99)).toThrow('run 99: no such run')
    expect(() => store.record(99, [{ type: 'report', step: 1, report: reportOf('a') }])).toThrow('run 99: no such run')
  })

  it('takes reports in a store that was made before there were any', () => {
    const folder = freshFolder()
    makeOldStore(folder)
    const store = storeIn(folder)
    expect(store.readReport(1)).toBeNull()
    const id = begun(store.beginRun(sampleRun()))
    store.record(id, [{ type: 'report', step: 1, report: reportOf('a') }])
    expect(store.readReport(id)).toEqual(reportOf('a'))
  })
})

describe('read-outs in the store', () => {
  const SIZE = { metric: 'readout/size', digest: 'one' }
  const OTHER = { metric: 'readout/size', digest: 'two' }
  const value = (given: object = {}) => ({
    ...SIZE,
    value: 3,
    meaning: { better: 'lower' as const },
    test: false,
    ...given,
  })
  const { key } = sampleRun()

  function train(store: Store, metric = 'test/loss'): number {
    const id = begun(store.beginRun(sampleRun()))
    store.record(id, [
      { type: 'start', steps: 4, parameters: 1 },
      ...metricEvents(metric, 4, 5),
      { type: 'done', step: 4 },
    ])
    return id
  }
  const shownBy = (store: Store) => store.findDone([key])[0]?.metrics['readout/size']

  /** A store with a run that is done. */
  function made() {
    const folder = freshWorkspace()
    const store = storeIn(folder)
    return { store, id: train(store), folder }
  }

  it('are metrics of their run, once they are kept', () => {
    const { store, id } = made()
    expect(shownBy(store)).toBeUndefined()
    const summary = { last: 3, best: 3, lastStep: 4, count: 1, meaning: { better: 'lower', readout: 'one' } }
    expect(store.keepReadout(id, value())).toMatchObject(summary)
    expect(shownBy(store)).toMatchObject(summary)
    expect(store.keepReadout(id, value({ value: 9 }))).toMatchObject(summary) // it was computed before
    expect(store.showReadouts([key], [SIZE])).toMatchObject([{ run: id, ...SIZE, summary }])
    expect(store.queryRuns({ filter: 'readout/size<4', sort: [], columns: [], offset: 0, limit: 9 }).total).toBe(1)
  })
  it('of other code do not show, and come back', () => {
    const { store, id } = made()
    store.keepReadout(id, value())
    expect(store.showReadouts([key], [OTHER])).toEqual([])
    expect(shownBy(store)).toBeUndefined()
    store.keepReadout(id, value({ ...OTHER, value: Number.NaN }))
    expect(shownBy(store)).toMatchObject({ last: Number.NaN, meaning: { readout: 'two' } })
    expect(store.showReadouts([key], [SIZE])).toHaveLength(1)
    expect(shownBy(store)).toMatchObject({ last: 3, meaning: { readout: 'one' } })
  })
  it('of the test are exploratory where they were planned when the run was over, and stay so', () => {
    vi.useFakeTimers({ now: 1000, toFake: ['Date'] })
    const folder = freshWorkspace()
    const store = storeIn(folder)
    const plan = (readouts: (typeof SIZE)[]) =>
      store.recordDesign({ ...designOf('gating', [{ variant: 'gmlp', seed: 0, key }]), readouts })
    plan([SIZE])
    vi.setSystemTime(2000)
    const id = train(store)
    vi.setSystemTime(3000)
    plan([SIZE, OTHER])
    const marked = (given: object) => store.keepReadout(id, value(given)).meaning?.exploratory
    expect(marked({ test: true })).toBeUndefined()
    expect(marked({ ...OTHER, test: true })).toBe(true)
    expect(marked({ ...OTHER, digest: 'three', test: true })).toBe(true)
    expect(marked({ ...OTHER, digest: 'four', test: false })).toBeUndefined()
    expect(marked({ digest: 'five', meaning: { exploratory: true } })).toBeUndefined()
    store.trainAgain([id])
    const again = train(store)
    expect(store.keepReadout(again, value({ ...OTHER, test: true })).meaning?.exploratory).toBe(true)
    expect(store.showReadouts([key], [SIZE])).toEqual([]) // the weights are others
    vi.useRealTimers()
  })
  it('of the cells of another notebook do not show', () => {
    const { store, id } = made()
    store.keepReadout(id, value(), 'a.ts')
    expect(store.showReadouts([key], [SIZE], 'b.ts')).toEqual([])
    expect(shownBy(store)).toBeUndefined()
    store.keepReadout(id, value({ value: 4 }), 'b.ts')
    expect(store.showReadouts([key], [SIZE], 'a.ts')).toMatchObject([{ summary: { last: 3 } }])
  })
  it('are of no other run, and take no name of what was measured', () => {
    const { store, id } = made()
    const running = begun(store.beginRun(sampleRun({ variant: 'other', key: 'other' })))
    expect(() => store.keepReadout(running, value())).toThrow(`run ${running}: is running, expected one that is done`)
    expect(() => store.keepReadout(99, value())).toThrow('run 99: no such run')
    expect(() => store.keepReadout(id, value({ metric: 'test/loss' }))).toThrow(
      `run ${id}: has measured 'test/loss' while it was trained; give the read-out another name`,
    )
    expect(store.findDone([key])[0]?.metrics['test/loss']?.last).toBe(2)
  })
  it('cannot be changed by SQL, nor can a metric be by the name of one', () => {
    const { store, id, folder } = made()
    store.keepReadout(id, value())
    const raw = new BetterSqlite3(join(folder, '.mixlab', 'mixlab.db'))
    const loss = "(select id from metric_name where name = 'test/loss')"
    for (const sql of [
      'update readout set value = 1',
      'delete from readout',
      `insert into readout (run, digest, metric, notebook, value, meaning) values (${id}, 'x', ${loss}, '', 1, '{}')`,
      `update metric_summary set last = 1 where metric = ${loss}`,
      `delete from metric_summary where metric = ${loss}`,
    ]) {
      expect(() => raw.exec(sql), sql).toThrow(/stays as it is|has no metric of its name/)
    }
    raw.close()
  })
})
