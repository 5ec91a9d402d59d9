import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import { designOf } from '../../designs.ts'
import { storeIn } from './openedStores.ts'
import { begun, freshFolder, metricEvents, sampleRun } from './samples.ts'

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
  const folder = freshFolder()
  const store = storeIn(folder)
  return { store, id: train(store), folder }
}

describe('read-outs in the store', () => {
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
    const folder = freshFolder()
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
