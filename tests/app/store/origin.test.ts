import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { migrations } from '../../../app/store/migrations/index.ts'
import { openDatabase } from '../../../app/store/open.ts'
import { readOrigin } from '../../../app/store/origin.ts'
import type { Environment } from '../../../engine/records/environment.ts'
import type { RunOrigin } from '../../../engine/records/origin.ts'
import { designOf } from '../../designs.ts'
import { freshStore, storeIn, trainingStore } from './openedStores.ts'
import { begun, freshFolder, freshWorkspace, sampleRun } from './samples.ts'

const origin: RunOrigin = { notebook: 'a.ts', cell: 'study', name: 'gating', source: '// %% study\n1\n', quick: false }
const environment: Environment = {
  ...{ mixlab: '1.0.0', numerics: 3, tfjs: '4.22.0', runtime: 'node 24.0.0' },
  ...{ platform: 'linux 6.8', architecture: 'x64', cores: 8, threads: 4 },
}

describe('the origin of a run', () => {
  it('is what it was begun with, and null where that was nothing', () => {
    const folder = freshWorkspace()
    const store = storeIn(folder)
    const quick = { ...origin, notebook: null, name: null, quick: true }
    const ids = [
      begun(store.beginRun(sampleRun({ variant: 'a', origin, environment }))),
      begun(store.beginRun(sampleRun({ variant: 'b', origin: quick }))),
      begun(store.beginRun(sampleRun({ variant: 'c' }))),
    ]
    const shown = ids.map((id) => store.showRun(`${id}`))
    expect(shown.map((run) => run.origin)).toEqual([{ ...origin, variant: 'a' }, { ...quick, variant: 'b' }, null])
    expect(shown.map((run) => run.environment)).toEqual([environment, null, null])
    store.close()
    const raw = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'), { readonly: true })
    expect(raw.prepare('select count(*) as n from source').get()).toEqual({ n: 1 })
    raw.close()
  })

  it('becomes that of the attempt which goes on', () => {
    const { store, id } = trainingStore({ origin, environment })
    store.record(id, [{ type: 'interrupted', step: 0 }])
    const later = { ...origin, notebook: 'b.ts', source: 'other' }
    expect(begun(store.beginRun(sampleRun({ origin: later, environment: { ...environment, mixlab: '1.1.0' } })))).toBe(
      id,
    )
    expect(store.showRun(`${id}`)).toMatchObject({ origin: later, environment: { mixlab: '1.1.0' } })
    store.record(id, [{ type: 'interrupted', step: 0 }])
    store.beginRun(sampleRun())
    expect(store.showRun(`${id}`)).toMatchObject({ origin: null, environment: null })
  })

  it('finds the runs of a notebook and of a cell, also after the notebook got another name', () => {
    const store = freshStore()
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
  })

  it('keeps what its source calls the variant, whatever it is called since', () => {
    const { store, id } = trainingStore({ variant: '64', origin })
    const { key, study } = store.showRun(`${id}`)
    store.recordDesign(designOf(study, [{ variant: 'd64', seed: 0, key }]))
    expect(store.showRun(`${id}`)).toMatchObject({ variant: 'd64', origin: { variant: '64' } })
  })

  it('finds that name in the designs of a store of before, where the source has it and not the one of now', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const old = openDatabase(path, 13)
    const begin = (key: string, variant: string, text: string, named: string[]) => {
      const { study, seed, backend, device } = sampleRun()
      const values = [key, study, variant, seed, backend, device]
      const run = old.run(
        `insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner, owner_pid, spec, code)
         values (?, ?, ?, ?, 'interrupted', ?, ?, 0, 0, '', 0, '{}', '')`,
        ...values,
      )
      const source = old.run('insert into source (hash, text) values (?, ?)', key, text)
      old.run("insert into run_origin values (?, null, 'study', 's', 0, ?)", run, source)
      old.run("update run set status = 'done' where id = ?", run)
      for (const name of named)
        old.run(
          'insert into design (study, json, planned_at) values (?, ?, 0)',
          study,
          JSON.stringify(designOf(study, [{ variant: name, seed: 0, key }])),
        )
      return run
    }
    const renamed = begin('k1', 'd64', "variants: { '64': a }", ['x', '64', 'd64'])
    const same = begin('k2', 'now', 'variants: { now: a }', ['a', 'now'])
    const made = begin('k3', 'lr=2', 'variants: factors({ lr: [2] })', ['lr=2'])
    old.close()
    const database = openDatabase(path)
    expect([renamed, same, made].map((run) => readOrigin(database, run).origin?.variant)).toEqual(['64', 'now', 'lr=2'])
    database.close()
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

    const store = storeIn(folder)
    expect(store.showRun('1')).toMatchObject({ variant, spec, code, origin: null, environment: null })
    expect(begun(store.beginRun(sampleRun({ origin, environment })))).toBe(1)
    expect(store.showRun('1')).toMatchObject({ origin, environment })
  })
})
