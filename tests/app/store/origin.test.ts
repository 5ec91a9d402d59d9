import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrations } from '../../../app/store/migrations/index.ts'
import type { Environment } from '../../../engine/records/environment.ts'
import type { RunOrigin } from '../../../engine/records/origin.ts'
import { begun, freshFolder, sampleRun, storeAt } from './samples.ts'

const origin: RunOrigin = { notebook: 'a.ts', cell: 'study', name: 'gating', source: '// %% study\n1\n', quick: false }
const environment: Environment = {
  ...{ mixlab: '1.0.0', numerics: 3, tfjs: '4.22.0', runtime: 'node 24.0.0' },
  ...{ platform: 'linux 6.8', architecture: 'x64', cores: 8, threads: 4 },
}

describe('the origin of a run', () => {
  it('is what it was begun with, and null where that was nothing', () => {
    const folder = freshFolder()
    const store = storeAt(folder)
    const quick = { ...origin, notebook: null, name: null, quick: true }
    const ids = [
      begun(store.beginRun(sampleRun({ variant: 'a', origin, environment }))),
      begun(store.beginRun(sampleRun({ variant: 'b', origin: quick }))),
      begun(store.beginRun(sampleRun({ variant: 'c' }))),
    ]
    const shown = ids.map((id) => store.showRun(`${id}`))
    expect(shown.map((run) => run.origin)).toEqual([origin, quick, null])
    expect(shown.map((run) => run.environment)).toEqual([environment, null, null])
    store.close()
    const raw = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'), { readonly: true })
    expect(raw.prepare('select count(*) as n from source').get()).toEqual({ n: 1 })
    raw.close()
  })

  it('becomes that of the attempt which goes on', () => {
    const store = storeAt(freshFolder())
    const id = begun(store.beginRun(sampleRun({ origin, environment })))
    store.record(id, [{ type: 'interrupted', step: 0 }])
    const later = { ...origin, notebook: 'b.ts', source: 'other' }
    expect(begun(store.beginRun(sampleRun({ origin: later, environment: { ...environment, mixlab: '1.1.0' } })))).toBe(
      id,
    )
    expect(store.showRun(`${id}`)).toMatchObject({ origin: later, environment: { mixlab: '1.1.0' } })
    store.record(id, [{ type: 'interrupted', step: 0 }])
    store.beginRun(sampleRun())
    expect(store.showRun(`${id}`)).toMatchObject({ origin: null, environment: null })
    store.close()
  })

  it('finds the runs of a notebook and of a cell, also after the notebook got another name', () => {
    const store = storeAt(freshFolder())
    const begin = (variant: string, changes: Partial<RunOrigin>) =>
      begun(store.beginRun(sampleRun({ variant, origin: { ...origin, ...changes } })))
    const [one, two, three] = [begin('1', {}), begin('2', { cell: 'other' }), begin('3', { notebook: 'b.ts' })]
    const idsOf = (filter: { notebook?: string; cell?: string }) => store.listRuns(filter).map(({ id }) => id)
    expect(idsOf({ notebook: 'a.ts' })).toEqual([two, one])
    expect(idsOf({ notebook: 'a.ts', cell: 'study' })).toEqual([one])
    expect(idsOf({ cell: 'study' })).toEqual([three, one])
    store.moveRuns('a.ts', 'c.ts')
    expect(idsOf({ notebook: 'a.ts' })).toEqual([])
    expect(idsOf({ notebook: 'c.ts', cell: 'other' })).toEqual([two])
    store.close()
  })

  it('is null for the runs of a store from before it was kept, which can still be begun again', () => {
    const folder = freshFolder()
    mkdirSync(join(folder, '.mixlab'))
    const path = join(folder, '.mixlab/mixlab.db')
    const old = new BetterSqlite3(path)
    for (const sql of migrations.slice(0, 3)) old.exec(String(sql))
    old.pragma('application_id = 0x4d69786c')
    old.pragma('user_version = 3')
    const { key, study, variant, seed, backend, device, spec, code } = sampleRun()
    old
      .prepare(
        `insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, ended_at, owner,
           owner_pid, spec, code) values (?, ?, ?, ?, 'interrupted', ?, ?, 1, 1, 1, 'gone', 1, ?, ?)`,
      )
      .run(key, study, variant, seed, backend, device, JSON.stringify(spec), code)
    old.close()

    const store = storeAt(folder)
    expect(store.showRun('1')).toMatchObject({ variant, spec, code, origin: null, environment: null })
    expect(begun(store.beginRun(sampleRun({ origin, environment })))).toBe(1)
    expect(store.showRun('1')).toMatchObject({ origin, environment })
    store.close()
  })
})
