import { describe, expect, it } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { RunStart } from '../../../engine/records/run.ts'
import { freshStore } from './openedStores.ts'
import { begun, metricEvents, range, sampleRun } from './samples.ts'

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

function begin(store: Store, start: string, changes: Partial<RunStart> = {}, done = false): number {
  const id = begun(store.beginRun(sampleRun({ key: start.padEnd(64, '0'), ...changes })))
  if (done) store.record(id, [{ type: 'done', step: 1 }])
  return id
}

describe('showRun', () => {
  it('finds a run by id, by the start of its key and by name', () => {
    const store = freshStore()
    const id = begin(store, 'abcd12', { variant: 'gmlp' })
    const other = begin(store, 'ff0011', { variant: 'mixer', seed: 2 })
    for (const reference of [`${id}`, 'abcd', 'ABCD12', 'abcd12'.padEnd(64, '0'), 'gating/gmlp/0', ' 1 ']) {
      expect(store.showRun(reference).id).toBe(id)
    }
    expect(store.showRun('gating/mixer/2').id).toBe(other)
  })

  it('prefers the latest attempt that is done, else the latest', () => {
    const store = freshStore()
    store.record(begin(store, 'abcd'), [{ type: 'failed', step: 1, message: 'NaN' }])
    const latest = begin(store, 'abcd')
    expect(store.showRun('gating/gmlp/0').id).toBe(latest)
    store.record(latest, [{ type: 'failed', step: 1, message: 'NaN' }])
    begin(store, '1234', {}, true)
    const done = begin(store, 'abcd', {}, true)
    begin(store, '5678')
    expect(store.showRun('gating/gmlp/0').id).toBe(done)
    expect(store.showRun('abcd').id).toBe(done)
  })

  it('takes digits as an id first, and as the start of a key where there is no such run', () => {
    const store = freshStore()
    const id = begin(store, '1234')
    expect(store.showRun('1234').id).toBe(id)
    expect(store.showRun('1').id).toBe(id)
  })

  it('takes names with a slash', () => {
    const store = freshStore()
    const id = begin(store, 'abcd', { study: 'a/b', variant: 'c' })
    expect(store.showRun('a/b/c/0').id).toBe(id)
    begin(store, 'abce', { study: 'a', variant: 'b/c' })
    expect(() => store.showRun('a/b/c/0')).toThrow('is ambiguous: 2 a/b/c/0 abce0000, 1 a/b/c/0 abcd0000')
  })

  it('lists the candidates of an ambiguous key', () => {
    const store = freshStore()
    begin(store, 'abcd1', { variant: 'gmlp' })
    begin(store, 'abcd2', { variant: 'mixer' })
    expect(() => store.showRun('abcd')).toThrow(
      'run abcd: is ambiguous: 2 gating/mixer/0 abcd2000, 1 gating/gmlp/0 abcd1000',
    )
  })

  it.each([
    ['99', 'run 99: no such run (latest: 1 gating/gmlp/0 abcd0000)'],
    ['123456', 'run 123456: no such run (latest: 1 '],
    ['beef', 'run beef: no such run (latest: 1 '],
    ['abc', "run 'abc': not a reference to a run; allowed is an id such as '12', 4 or more digits of a key, or study/"],
    ['', "run '': not a reference"],
    ['gatign/gmlp/0', "no study 'gatign' (did you mean 'gating'?)"],
    ['gating/gmpl/0', "no variant 'gmpl' in study 'gating' (did you mean 'gmlp'?)"],
    ['gating/gmlp/7', "no seed '7' of gating/gmlp (known: 0)"],
    ['gating/gmlp/x', "no seed 'x' of gating/gmlp (known: 0)"],
    ['gating/gmlp', 'the seed is missing (known: 0)'],
    ['gating/', "no variant '' in study 'gating'"],
    ['99999999999999999999', 'no such run'],
  ])('says what is close to %j', (reference, message) => {
    const store = freshStore()
    begin(store, 'abcd')
    expect(() => store.showRun(reference)).toThrow(message)
  })

  it('says that there are no runs yet', () => {
    const store = freshStore()
    expect(() => store.showRun('1')).toThrow('run 1: no such run, the workspace has no runs yet')
    expect(() => store.showRun('a/b/0')).toThrow('run a/b/0: the workspace has no runs yet')
  })
})

it('shows several runs as it shows each, in the order asked for', () => {
  const store = freshStore()
  const origin = { notebook: 'a.ts', cell: 'a', name: null, source: 'a cell', quick: false }
  const ids = ['a', 'b', 'c'].map((variant) => begun(store.beginRun(sampleRun({ variant, origin }))))
  for (const id of ids) store.record(id, metricEvents('loss', 0, 10 * id))
  const asked = ids.toReversed()
  expect(store.showRuns(asked)).toEqual(asked.map((id) => store.showRun(`${id}`)))
  expect(store.showRuns([1, 1]).map(({ id }) => id)).toEqual([1, 1])
  expect(store.showRuns([])).toEqual([])
  expect(() => store.showRuns([1, 99])).toThrow('run 99: no such run')
})
