import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Objects, openObjects } from '../../../app/store/objects.ts'
import { openDatabase } from '../../../app/store/open.ts'
import { record } from '../../../app/store/record.ts'
import { beginRun } from '../../../app/store/training/begin.ts'
import { openOwners } from '../../../app/store/training/owners.ts'
import { inColumns, type TrainEvent } from '../../../engine/records/events.ts'
import type { MetricMeaning } from '../../../engine/records/meaning.ts'
import { LOSS } from '../../meanings.ts'
import { freshStore, storeIn, trainingStore } from './openedStores.ts'
import { begun, freshFolder, freshWorkspace, metricEvents, range, sampleRun } from './samples.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
describe('record', () => {
  it('takes a run from its start to its end', () => {
    const { store, id } = trainingStore()
    expect(store.listRuns()[0]).toMatchObject({ id, status: 'running', step: 0, steps: 0, endedAt: null, metrics: {} })
    store.record(id, [
      { type: 'start', steps: 20, parameters: 123, macs: 5e12 },
      { type: 'step', step: 1, ms: 3 },
      { type: 'warning', step: 1, message: 'training starts anew' },
      { type: 'metric', step: 1, name: 'loss', value: 2 },
      { type: 'step', step: 2, ms: 3 },
    ])
    expect(store.listRuns()[0]).toMatchObject({ status: 'running', step: 2, steps: 20, parameters: 123, macs: 5e12 })
    store.record(id, [{ type: 'done', step: 20 }])
    const run = store.showRun(`${id}`)
    expect(run).toMatchObject({ status: 'done', step: 20, error: null, hasWeights: false })
    expect(run).toMatchObject({ spec: sampleRun().spec, code: sampleRun().code, backend: 'cpu', device: 'a processor' })
    expect(run.endedAt).toBeGreaterThanOrEqual(run.startedAt)
  })

  it('takes points in columns as it takes them one by one', () => {
    const [one, other] = [freshStore(), freshStore()].map((store) => {
      const id = begun(store.beginRun(sampleRun()))
      return { store, id }
    })
    if (!one || !other) throw new Error('a store is missing')
    const events = [...metricEvents('loss', 1, 40), ...metricEvents('test/accuracy', 1, 40)]
    one.store.record(one.id, events)
    const columns = inColumns(events)
    expect(columns).toMatchObject([{ type: 'points', step: 39 }])
    other.store.record(other.id, columns)
    const told = ({ store, id }: typeof one) => [
      ['loss', 'test/accuracy'].map((name) => store.readSeries([id], name)),
      store.listRuns().map(({ step, metrics }) => ({ step, metrics })),
    ]
    expect(told(other)).toEqual(told(one))
    const wrong = { name: 'loss', steps: [1, 2], values: [1] }
    expect(() => other.store.record(other.id, [{ type: 'points', step: 2, series: [wrong] }])).toThrow(
      'loss: 2 steps for 1 values',
    )
    for (const { store } of [one, other]) store.close()
  })

  it('keeps what metrics mean by run, so that two studies may mean different things by a name', () => {
    const store = freshStore()
    const record = (study: string, name: string, meaning: MetricMeaning | undefined, values: number[]) => {
      const id = begun(store.beginRun(sampleRun({ study, variant: study })))
      store.record(id, [
        ...values.map((value, step) => ({ type: 'metric' as const, name, step, value, meaning })),
        { type: 'done', step: 9 },
      ])
      return store.showRun(`${id}`).metrics[name]
    }
    const name = 'test/score'
    const up = { better: 'higher', unit: 'share', bounds: [0, 1], words: 'score', compared: true } as const
    const down = { better: 'lower', bounds: [null, 5] } as const
    expect(record('a', name, { ...up, bounds: [0, 1] }, [1, 3, 2])).toMatchObject({ best: 3, meaning: up })
    expect(record('b', name, { ...down, bounds: [null, 5] }, [1, 3, 2])).toMatchObject({ best: 1, meaning: down })
    expect(store.runFields().meanings).toEqual({ [name]: { compared: true } })
    expect(record('c', 'test/other', undefined, [1, 3, 2])).toMatchObject({ best: 2, min: 1, max: 3 })
    expect(record('d', 'test/same', { better: 'lower' }, [1])?.meaning).toEqual({ better: 'lower' })
    expect(store.runFields().meanings['test/same']).toEqual({ better: 'lower' })
    expect(() => record('e', name, { better: 'up' } as never, [1])).toThrow("test/score.better: unknown value 'up'")
  })

  it('keeps 100,000 points in any split into batches, with their summary', () => {
    const { store, id } = trainingStore()
    const sizes = [1, 2, 1021, 1024, 1025, 5000, 13, 999]
    let count = 0
    for (let i = 0; count < 100_000; i++) {
      const size = Math.min(sizes[i % sizes.length] ?? 1, 100_000 - count)
      store.record(id, metricEvents('loss', count, count + size))
      count += size
    }
    const [series] = store.readSeries([id], 'loss', 1e6)
    expect(series?.steps).toEqual(range(0, 100_000))
    expect(series?.values).toEqual(range(0, 100_000).map((step) => step / 2))
    expect(store.listRuns()[0]?.metrics.loss).toEqual({
      meaning: LOSS,
      last: 49_999.5,
      lastStep: 99_999,
      best: 0,
      bestStep: 0,
      min: 0,
      max: 49_999.5,
      count: 100_000,
    })
  })

  it('keeps NaN and the infinities, over a reopening too', () => {
    const folder = freshWorkspace()
    const values = [1, Number.NaN, Number.POSITIVE_INFINITY, -0, Number.NEGATIVE_INFINITY, 5e-324, Number.NaN]
    const first = storeIn(folder)
    const id = begun(first.beginRun(sampleRun()))
    first.record(
      id,
      values.map((value, step) => ({ type: 'metric', name: 'loss', step, value })),
    )
    first.record(id, [{ type: 'metric', name: 'test/accuracy', step: 9, value: Number.NaN }])
    first.close()
    const store = storeIn(folder)
    expect(store.readSeries([id], 'loss')[0]?.values).toEqual(values)
    const { metrics } = store.showRun(`${id}`)
    expect(metrics.loss).toMatchObject({
      last: Number.NaN,
      min: Number.NEGATIVE_INFINITY,
      max: Number.POSITIVE_INFINITY,
    })
    expect(metrics['test/accuracy']).toEqual({
      last: Number.NaN,
      lastStep: 9,
      best: Number.NaN,
      bestStep: 9,
      min: Number.NaN,
      max: Number.NaN,
      count: 1,
    })
  })

  it('gives metrics by name, and those of each run to it', () => {
    const store = freshStore()
    const ids = ['a', 'b'].map((variant) => begun(store.beginRun(sampleRun({ variant }))))
    for (const [i, id] of ids.entries()) {
      for (const name of ['loss', 'accuracy', 'time']) store.record(id, [{ type: 'metric', step: 1, name, value: i }])
    }
    for (const [i, id] of ids.entries()) {
      const { metrics } = store.showRun(`${id}`)
      expect(Object.entries(metrics).map(([name, { last }]) => [name, last])).toEqual([
        ['accuracy', i],
        ['loss', i],
        ['time', i],
      ])
    }
  })

  it('takes any metric name', () => {
    const { store, id } = trainingStore()
    const names = ['__proto__', "it's", 'é/ü', 'constructor']
    store.record(
      id,
      names.map((name) => ({ type: 'metric', name, step: 1, value: 1 })),
    )
    expect(Object.keys(store.listRuns()[0]?.metrics ?? {}).sort()).toEqual([...names].sort())
  })

  it.each<[string, unknown]>([
    ['step.step: -1', { type: 'step', step: -1, ms: 1 }],
    ['metric.step: 1.5', { type: 'metric', step: 1.5, name: 'loss', value: 1 }],
    ['loss: x', { type: 'metric', step: 1, name: 'loss', value: 'x' }],
    ['metric.name: must not be empty', { type: 'metric', step: 1, name: '', value: 1 }],
    ['metric.name: must not be empty', { type: 'metric', step: 1, name: undefined, value: 1 }],
    ['start.steps: NaN', { type: 'start', steps: Number.NaN, parameters: 1 }],
    ['start.parameters: -2', { type: 'start', steps: 1, parameters: -2 }],
    ['start.macs: 0.5', { type: 'start', steps: 1, parameters: 1, macs: 0.5 }],
    ['start.resumedAt: -1', { type: 'start', steps: 1, parameters: 1, resumedAt: -1 }],
    ['done.step: NaN', { type: 'done', step: Number.NaN }],
    ['snapshot.weights: must not be empty', { type: 'snapshot', step: 1, weights: new Uint8Array() }],
    ['checkpoint.best: must not', { type: 'checkpoint', step: 1, weights: bytes('w'), best: new Uint8Array() }],
    ['checkpoint.state: must not', { type: 'checkpoint', step: 1, weights: bytes('w'), state: new Uint8Array() }],
    ['checkpoint.weights: must not be empty', { type: 'checkpoint', step: 1, weights: new Uint8Array() }],
    ['event: unknown kind', { type: 'paused', step: 1 }],
  ])('rejects a malformed event as %s, and keeps nothing of the batch', (message, event) => {
    const { store, id } = trainingStore()
    const recording = () => store.record(id, [...metricEvents('loss', 0, 3), event as TrainEvent])
    expect(recording).toThrow(message)
    expect(recording).toThrow(expect.objectContaining({ code: 'store' }))
    expect(store.listRuns()[0]).toMatchObject({ step: 0, metrics: {} })
  })
})

describe('checkpoints', () => {
  it('are there although another process removed the same bytes as unused meanwhile', () => {
    const folder = freshFolder()
    const database = openDatabase(join(folder, 'mixlab.db'))
    const objects = openObjects(folder)
    const owners = openOwners(database, folder)
    let written = 0
    const write: Objects['write'] = (content) => {
      const hash = objects.write(content)
      written += 1
      if (written === 1) objects.remove(hash)
      return hash
    }
    const store = { ...database, owners, objects: { ...objects, write } }
    const id = begun(beginRun(store, sampleRun()))
    record(store, id, [{ type: 'checkpoint', step: 1, weights: bytes('weights') }])
    expect(objects.list()).toHaveLength(1)
    record(store, id, [{ type: 'checkpoint', step: 2, weights: bytes('weights') }])
    expect(written).toBe(3) // once where nobody came between
    owners.release()
    database.close()
  })

  it('stay as long as any run has them', () => {
    const store = freshStore()
    const [a, b] = [begun(store.beginRun(sampleRun())), begun(store.beginRun(sampleRun({ variant: 'other' })))]
    for (const id of [a, b]) store.record(id, [{ type: 'checkpoint', step: 1, weights: bytes('same') }])
    store.record(a, [{ type: 'checkpoint', step: 2, weights: bytes('other') }])
    expect(new TextDecoder().decode(store.readWeights(b))).toBe('same')
    store.record(b, [{ type: 'checkpoint', step: 2, weights: bytes('same') }])
    expect(new TextDecoder().decode(store.readWeights(b))).toBe('same')
  })
})

describe('close', () => {
  it("interrupts the store's own runs that are still in training, and can be called twice", () => {
    const folder = freshWorkspace()
    const first = storeIn(folder)
    const other = storeIn(folder)
    const running = begun(first.beginRun(sampleRun()))
    const done = begun(first.beginRun(sampleRun({ variant: 'done' })))
    first.record(done, [{ type: 'done', step: 1 }])
    const others = begun(other.beginRun(sampleRun({ variant: 'others' })))
    first.close()
    first.close()
    expect(other.showRun(`${running}`)).toMatchObject({ status: 'interrupted' })
    expect(other.showRun(`${running}`).endedAt).not.toBeNull()
    expect(other.showRun(`${done}`).status).toBe('done')
    expect(other.showRun(`${others}`).status).toBe('running')
    expect(() => first.beginRun(sampleRun())).toThrow(/is closed/)
    other.close()
    expect(readdirSync(join(folder, '.mixlab/owners'))).toEqual([])
  })
})
