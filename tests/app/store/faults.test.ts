import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Store } from '../../../app/store/index.ts'
import { openObjects } from '../../../app/store/objects.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import { histogramOf } from '../../../engine/records/histogram.ts'
import { databases } from '../../faults/database.ts'
import { disk } from '../../faults/disk.ts'
import { begun, freshWorkspace, metricEvents, range, sampleRun, storeAt } from './samples.ts'

vi.mock('node:fs', async () => (await import('../../faults/disk.ts')).failingFs())
vi.mock('../../../app/store/database.ts', async (original) => {
  const { connectDatabase } = await original<typeof import('../../../app/store/database.ts')>()
  return { connectDatabase: (await import('../../faults/database.ts')).failingConnect(connectDatabase) }
})
vi.mock('../../../app/store/sqlite-error.ts', async (original) => ({
  ...(await original<typeof import('../../../app/store/sqlite-error.ts')>()),
  busySeconds: 0.01, // nobody lets go of a lock here
}))

const open: Store[] = []
const opened = (folder: string) => {
  const store = storeAt(folder)
  open.push(store)
  return store
}
afterEach(() => {
  disk.forget()
  databases.beforeWrite = () => {}
  for (const store of open.splice(0)) store.close()
})

const { key } = sampleRun()
const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (content: Uint8Array | null) => content && new TextDecoder().decode(content)
const spread = { w: histogramOf([1, 2]) }

const start = (resumedAt: number): TrainEvent => ({ type: 'start', steps: 90, parameters: 7, resumedAt })
const checkpoint = (step: number): TrainEvent => ({
  ...{ type: 'checkpoint', step, weights: bytes(`weights ${step}`), state: bytes(`state ${step}`) },
  best: bytes(`best ${step}`),
})
/** All that a run tells after a step up to another, with a checkpoint at the end. */
const told = (from: number, to: number): TrainEvent[] => [
  ...metricEvents('loss', from + 1, to + 1),
  { type: 'histograms', step: to, weights: spread, gradients: spread },
  { type: 'report', step: to, report: { eval: { kind: 'maskedTokens', texts: [] } } },
  { type: 'snapshot', step: to, weights: bytes(`snapshot ${to}`) },
  checkpoint(to),
]

/** All rows, but for when they were written and by whom. */
function rowsOf(folder: string): unknown {
  const raw = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'), { readonly: true })
  const tables = raw.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck().all()
  const rows = tables.map((table) => [
    table,
    raw
      .prepare<[], object>(`select * from "${table}"`)
      .all()
      .map((row) => ({
        ...row,
        ...{ started_at: 0, recorded_at: 0, ended_at: 0, owner: '', owner_pid: 0 },
      })),
  ])
  raw.close()
  return rows
}

/** A run with a checkpoint at step 20, in training. */
function training(folder = freshWorkspace()) {
  const store = opened(folder)
  const id = begun(store.beginRun(sampleRun()))
  store.record(id, [start(0), ...told(0, 20)])
  const locks = readdirSync(join(folder, '.mixlab/owners')).map((name) => join(folder, '.mixlab/owners', name))
  /** Its process is gone: its lock is, and it notes nothing more. */
  const die = () => {
    for (const lock of locks) rmSync(lock)
  }
  return { folder, store, id, die }
}

/** Everything that a run keeps can be read and is of that step. */
function expectWhole(store: Store, id: number, step: number): void {
  expect(textOf(store.readState(id))).toBe(`state ${step}`)
  expect(textOf(store.readWeights(id))).toBe(`weights ${step}`)
  expect(textOf(store.readWeights(id, 'best'))).toBe(`best ${step}`)
  for (const { which } of store.listWeights(id)) store.readWeights(id, which)
}

const objectsOf = (folder: string) => openObjects(join(folder, '.mixlab/objects')).list().length

describe('a batch that finds the database full', () => {
  it('leaves all as it was, at whichever change, and is recorded once there is space', () => {
    const healthy = training()
    const changes = databases.changesIn(() => healthy.store.record(healthy.id, told(20, 40)))
    expect(changes).toBeGreaterThan(10)
    const { folder, store, id } = training()
    const before = rowsOf(folder)
    for (const at of range(0, changes - 1)) {
      const refused = databases.failing(at, () => store.record(id, told(20, 40)))
      expect(refused).toMatchObject({ code: 'store', message: expect.stringContaining('the disk is full') })
      expect(rowsOf(folder)).toEqual(before)
      expectWhole(store, id, 20)
    }
    store.record(id, told(20, 40))
    expect(rowsOf(folder)).toEqual(rowsOf(healthy.folder))
    expectWhole(store, id, 40)
    expect(objectsOf(folder)).toBe(objectsOf(healthy.folder))
  })

  it('is recorded even where what it replaces cannot be removed', () => {
    const { folder, store, id, die } = training()
    let writes = 0
    databases.beforeWrite = () => {
      if (++writes === 2) throw new Error('locked')
    }
    store.record(id, told(20, 40))
    expectWhole(store, id, 40)
    expect(objectsOf(folder)).toBe(8)
    die()
    opened(folder).beginRun(sampleRun({ variant: 'next' })) // sweeps
    expect(objectsOf(folder)).toBe(5)
  })

  it('does not begin half a run', () => {
    const store = opened(freshWorkspace())
    const origin = { notebook: 'a.ts', cell: 'a', name: null, source: 'source', quick: false }
    for (let at = 0; ; at++) {
      const refused = databases.failing(at, () => begun(store.beginRun(sampleRun({ origin }))))
      if (!refused) break
      expect(store.listRuns()).toEqual([])
    }
    expect(store.showRun('1').origin).toMatchObject(origin)
    expect(store.queryRuns({ filter: '', sort: [], columns: [], offset: 0, limit: 9 }).total).toBe(1)
  })
})

describe('a checkpoint', () => {
  it('is not recorded where its files cannot be written, and the one before stays', () => {
    const { store, id } = training()
    const changes = disk.changesOf(() => store.record(id, [checkpoint(30)])).filter((each) => each !== 'remove')
    for (const at of range(0, changes.length)) {
      const events = [...metricEvents('loss', 30, 40), checkpoint(40 + at)]
      const refused = disk.failing(at, 'ENOSPC', () => store.record(id, events))
      expect(refused).toMatchObject({ code: 'store', message: expect.stringContaining('the disk is full') })
      expectWhole(store, id, 30)
      expect(store.showRun(`${id}`).metrics.loss?.lastStep).toBe(20)
    }
  })

  it.each(['renames kept', 'renames lost'] as const)('is whole after a power cut at any time: %s', (cut) => {
    const counted = training()
    const changes = disk.changesOf(() => counted.store.record(counted.id, [checkpoint(40)]))
    for (const at of range(0, changes.length + 1)) {
      const { folder, store, id, die } = training()
      disk.forget()
      disk.failing(at, 'death', () => store.record(id, [checkpoint(40)]))
      disk.powerCut(cut)
      die()
      const next = opened(folder)
      expectWhole(next, id, at < changes.length - 3 ? 20 : 40) // three files are removed after the commit
    }
  })

  it('brings back what another process takes for unused before it is recorded', () => {
    const { folder, store, id } = training()
    const objects = openObjects(join(folder, '.mixlab/objects'))
    const before = new Set(objects.list())
    databases.beforeWrite = () => {
      databases.beforeWrite = () => {}
      for (const hash of objects.list()) if (!before.has(hash)) objects.remove(hash)
    }
    store.record(id, [checkpoint(40)])
    expectWhole(store, id, 40)
  })

  it('that is replaced while it is read gives the newer one', () => {
    const { folder, store, id } = training()
    const other = opened(folder)
    let replaced = false
    disk.before = (operation) => {
      if (operation !== 'read' || replaced) return
      replaced = true
      store.record(id, [checkpoint(40)])
    }
    expect(textOf(other.readState(id))).toBe('state 40')
    expect(replaced).toBe(true)
  })
})

describe('a run whose process died', () => {
  it('is interrupted for whoever asks first, whatever they ask', () => {
    const asks: ((store: Store) => unknown)[] = [
      (store) => store.findResumable([key], 'cpu').length,
      (store) => store.listRuns({ status: 'interrupted' }).length,
      (store) => store.queryRuns({ filter: 'status:interrupted', sort: [], columns: [], offset: 0, limit: 9 }).total,
      (store) => begun(store.beginRun(sampleRun())),
      (store) => store.showRuns([1]).filter(({ status }) => status === 'interrupted').length,
    ]
    for (const ask of asks) {
      const { folder, die } = training()
      const other = opened(folder)
      die()
      expect(ask(other)).toBe(1)
    }
  })

  it('ended when it last recorded something', () => {
    const { folder, store, id, die } = training()
    const raw = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'))
    raw.prepare('update run set started_at = 1000, recorded_at = 5000').run()
    raw.close()
    expect(store.showRun(`${id}`).endedAt).toBeNull()
    die()
    const next = opened(folder)
    expect(next.showRun(`${id}`)).toMatchObject({ status: 'interrupted', startedAt: 1000, endedAt: 5000 })
    next.beginRun(sampleRun())
    const { startedAt, endedAt } = next.showRun(`${id}`)
    expect(endedAt).toBeNull()
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(4000) // what it trained before the break counts
    expect(Date.now() - startedAt).toBeLessThan(100_000)
  })

  it('goes to one of those who want it, and what the dead one still sends is refused', () => {
    const { folder, store: dead, id, die } = training()
    const [first, second] = [opened(folder), opened(folder)]
    expect(first.beginRun(sampleRun())).toBeNull()
    dead.record(id, metricEvents('loss', 20, 30)) // a living one keeps its run, whoever looks
    die()
    expect(begun(first.beginRun(sampleRun()))).toBe(id)
    expect(second.beginRun(sampleRun())).toBeNull()
    first.record(id, [start(20), ...metricEvents('loss', 20, 25)])
    const before = rowsOf(folder)
    for (const late of [[checkpoint(50)], metricEvents('loss', 30, 40), [{ type: 'interrupted' as const, step: 30 }]]) {
      expect(() => dead.record(id, late)).toThrow(`run ${id}: is in training in another process`)
    }
    expect(rowsOf(folder)).toEqual(before)
    expectWhole(first, id, 20)
    first.record(id, [{ type: 'done', step: 40 }])
    for (const store of [first, second, dead]) expect(store.beginRun(sampleRun())).toBeNull()
  })

  it('goes on without what it told after its checkpoint, wherever it died', () => {
    const healthy = training()
    healthy.store.record(healthy.id, [...told(20, 40), { type: 'done', step: 40 }])
    const { folder, store, id, die } = training()
    store.record(id, [...told(20, 30).slice(0, -1), { type: 'metric', name: 'late', step: 25, value: 1 }])
    die()
    const next = opened(folder)
    expect(next.findResumable([key], 'cpu')).toEqual([{ key, step: 20 }])
    next.beginRun(sampleRun())
    next.record(id, [start(20)])
    expect(next.readReport(id)).toBeNull()
    expect(next.showRun(`${id}`)).toMatchObject({ step: 20, metrics: { loss: { lastStep: 20, count: 20 } } })
    expect(Object.keys(next.showRun(`${id}`).metrics)).toEqual(['loss'])
    expect(next.listWeights(id).map(({ step }) => step)).toEqual([20, 20, 20])
    expect(new Set(next.readHistograms(id).map(({ step }) => step))).toEqual(new Set([20]))
    next.record(id, [...told(20, 40), { type: 'done', step: 40 }])
    expect(next.readSeries([id], 'loss')).toEqual(healthy.store.readSeries([healthy.id], 'loss'))
    expect(next.readSeries([id], 'loss', 3)).toEqual(healthy.store.readSeries([healthy.id], 'loss', 3))
    expect(next.showRun(`${id}`).metrics).toEqual(healthy.store.showRun(`${healthy.id}`).metrics)
    expect(next.readReport(id)).toEqual(healthy.store.readReport(healthy.id))
    expect(next.readHistograms(id)).toEqual(healthy.store.readHistograms(healthy.id))
    expect(objectsOf(folder)).toBe(objectsOf(healthy.folder))
  })

  it('that starts anew has nothing of before, not even of step 0', () => {
    const { folder, store, id, die } = training()
    store.record(id, metricEvents('before', 0, 1))
    die()
    const next = opened(folder)
    next.beginRun(sampleRun())
    next.record(id, [start(0)])
    expect(next.showRun(`${id}`)).toMatchObject({ step: 0, metrics: {} })
    expect([next.readState(id), next.readReport(id), next.readHistograms(id)]).toEqual([null, null, []])
    next.record(id, metricEvents('before', 0, 1))
    expect(next.readSeries([id], 'before')[0]?.steps).toEqual([0])
  })

  it('has the same curves from afar, too, however many points were cut', () => {
    const curves = (died: boolean) => {
      const { folder, store, id, die } = training()
      store.record(id, [...metricEvents('loss', 21, 3000), checkpoint(2999)])
      let last = store
      if (died) {
        store.record(
          id,
          metricEvents('loss', 3000, 5000).map((event) => ({ ...event, value: 9999 })),
        )
        die()
        last = opened(folder)
        last.beginRun(sampleRun())
        last.record(id, [start(2999)])
      }
      last.record(id, metricEvents('loss', 3000, 6000))
      const groups = [{ name: 'a', runs: [id] }]
      return [
        last.readSeries([id], 'loss', 10),
        last.readSeries([id], 'loss', 5, [2900, 4800]),
        last.readBands(groups, ['loss'], 10),
      ]
    }
    expect(curves(true)).toEqual(curves(false))
  })

  it('keeps what it told at the step of its checkpoint', () => {
    const { folder, store, id, die } = training()
    store.record(id, [{ type: 'metric', name: 'test/loss', step: 20, value: 3 }])
    const report = store.readReport(id)
    expect(report).not.toBeNull()
    die()
    const next = opened(folder)
    next.beginRun(sampleRun())
    next.record(id, [start(20)])
    expect(next.showRun(`${id}`).metrics['test/loss']).toMatchObject({ last: 3, count: 1 })
    expect(next.readReport(id)).toEqual(report)
    expect(next.readHistograms(id)).toHaveLength(2)
    expect(next.listWeights(id)).toHaveLength(3)
  })
})

describe('a database that another process keeps locked', () => {
  it('can be read, says why it cannot be written, and loses nothing', () => {
    const { folder, store, id } = training()
    const before = rowsOf(folder)
    const other = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'))
    other.exec('begin immediate')
    for (const write of [
      () => store.record(id, told(20, 40)),
      () => store.beginRun(sampleRun({ variant: 'other' })),
      () => store.noteRun(id, 'a note'),
    ]) {
      expect(write).toThrow('was kept locked by another process')
    }
    expectWhole(store, id, 20)
    expect(rowsOf(folder)).toEqual(before)
    other.exec('rollback')
    other.close()
    store.record(id, told(20, 40))
    expectWhole(store, id, 40)
  })
})
