import { describe, expect, it } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { RunStart } from '../../../engine/records/run.ts'
import { freshStore } from './openedStores.ts'
import { begun, range, sampleRun } from './samples.ts'

function finished(store: Store, changes: Partial<RunStart>, events: TrainEvent[] = []): number {
  const id = begun(store.beginRun(sampleRun(changes)))
  store.record(id, [...events, { type: 'done', step: 1 }])
  return id
}

const key = (n: number) => n.toString(16).padStart(64, '0')

describe('findDone', () => {
  it('finds the finished run of each key, with metrics', () => {
    const store = freshStore()
    store.record(begun(store.beginRun(sampleRun({ key: key(1) }))), [{ type: 'failed', step: 1, message: 'NaN' }])
    const again = finished(store, { key: key(1) }, [{ type: 'metric', step: 1, name: 'test/accuracy', value: 0.5 }])
    store.beginRun(sampleRun({ key: key(2) }))
    const other = finished(store, { key: key(3) })
    const found = store.findDone([key(3), key(2), key(1), key(9)])
    expect(found.map((run) => run.id)).toEqual([again, other])
    expect(found[0]?.metrics['test/accuracy']?.last).toBe(0.5)
    expect(store.findDone([])).toEqual([])
  })

  it('takes any number of keys', () => {
    const store = freshStore()
    const id = finished(store, { key: key(39_999) })
    expect(store.findDone(range(0, 40_000).map(key)).map((run) => run.id)).toEqual([id])
  })
})

describe('listRuns', () => {
  it('lists the newest first and filters by everything at once', () => {
    const store = freshStore()
    const a = finished(store, { key: key(1), study: 'gating', variant: 'gmlp' })
    const b = finished(store, { key: key(2), study: 'gating', variant: 'mixer' })
    const c = begun(store.beginRun(sampleRun({ key: key(3), study: 'other', variant: 'mixer' })))
    const ids = (filter?: Parameters<Store['listRuns']>[0]) => store.listRuns(filter).map((run) => run.id)
    expect(ids()).toEqual([c, b, a])
    expect(ids({ study: 'gating' })).toEqual([b, a])
    expect(ids({ variant: 'mixer' })).toEqual([c, b])
    expect(ids({ variant: 'mixer', status: 'done' })).toEqual([b])
    expect(ids({ keys: [key(1), key(3)] })).toEqual([c, a])
    expect(ids({ keys: [] })).toEqual([])
    expect(ids({ limit: 1 })).toEqual([c])
    expect(ids({ study: 'nothing' })).toEqual([])
    expect(() => ids({ limit: -1 })).toThrow('limit: -1: must be a whole number, 0 or more')
  })

  it('keeps values that look like SQL as they are', () => {
    const store = freshStore()
    const study = "x' or 1=1; drop table run; --"
    finished(store, { study })
    expect(store.listRuns({ study })[0]?.study).toBe(study)
    expect(store.listRuns({ study: "y' or '1'='1" })).toEqual([])
  })

  it('rejects a seed that is no whole number', () => {
    const store = freshStore()
    const refused = { code: 'store', message: 'seed: 0.5: must be a whole number' }
    expect(() => store.beginRun(sampleRun({ key: key(4), seed: 0.5 }))).toThrow(expect.objectContaining(refused))
    expect(store.listRuns()).toEqual([])
  })
})
