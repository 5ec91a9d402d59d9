import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectDatabase, type Database } from '../../../app/store/database.ts'
import { migrate } from '../../../app/store/migrate.ts'
import { migrations } from '../../../app/store/migrations/index.ts'
import { openDatabase } from '../../../app/store/open.ts'
import { appendPoints } from '../../../app/store/points/append.ts'
import { readSeries } from '../../../app/store/points/series.ts'
import { readMeanings, readSummary } from '../../../app/store/points/summary.ts'
import type { Line } from '../../../engine/study/align.ts'
import { storeIn } from './openedStores.ts'
import { randomSeries } from './randomSeries.ts'
import { freshFolder, freshWorkspace, sampleRun } from './samples.ts'

const more = [...migrations, 'create table extra (a)', 'create table another (b); insert into another values (1)']

function tables(database: Database): string[] {
  const rows = database.all<{ name: string }>("select name from sqlite_schema where type = 'table' order by name")
  return rows.map((row) => row.name)
}

describe('migrate', () => {
  it('brings a store through every version to the newest, once', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    expect(database.pragma('user_version')).toBe(migrations.length)
    migrate(database, more)
    migrate(database, more)
    expect(database.pragma('user_version')).toBe(more.length)
    expect(tables(database)).toEqual(expect.arrayContaining(['another', 'extra', 'run']))
    expect(database.all('select b from another')).toEqual([{ b: 1 }])
    database.close()
  })

  it('leaves to another process what that did first', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const [database, other] = [connectDatabase(path), connectDatabase(path)]
    let raced = false
    const late: Database = {
      ...database,
      write: (work) => {
        if (!raced) migrate(other, more)
        raced = true
        return database.write(work)
      },
    }
    migrate(late, more)
    expect(database.pragma('user_version')).toBe(more.length)
    expect(database.all('select b from another')).toEqual([{ b: 1 }])
  })

  it('finishes once, with the last step', () => {
    const database = connectDatabase(join(freshFolder(), 'mixlab.db'))
    const versions: number[] = []
    for (let time = 0; time < 2; time++) migrate(database, more, (at) => versions.push(at.pragma('user_version')))
    expect(versions).toEqual([more.length - 1])
    database.close()
  })

  it('keeps the version before a step that fails, and nothing of the step', () => {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    const before = tables(database)
    const broken = [...migrations, 'create table half (a); insert into nowhere values (1)']
    expect(() => migrate(database, broken)).toThrow(/no such table: nowhere/)
    expect(database.pragma('user_version')).toBe(migrations.length)
    expect(tables(database)).toEqual(before)
    database.close()
  })

  it('rejects a store that a longer list has made', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const database = openDatabase(path)
    migrate(database, more)
    database.close()
    expect(() => openDatabase(path)).toThrow(
      `its version is ${more.length}, this program knows up to ${migrations.length}`,
    )
  })

  it.each(migrations.map((_, i) => i + 1))(
    'leaves a store of version %i with its series, and levels of them',
    (version) => {
      const path = join(freshFolder(), 'mixlab.db')
      const old = openDatabase(path, version)
      insertRun(old)
      const points = randomSeries(version, 20_000)
      if (version >= 4) appendPoints(old, 1, 1, points)
      else insertChunks(old, points)
      const last = points.steps.at(-1) ?? 0
      old.run(
        `insert into metric_summary (run, metric, last, last_step, best, best_step, min, max, count)
         values (1, 1, 0, ?, 0, 0, 0, 0, ?)`,
        ...[last, points.steps.length],
      )
      old.close()

      const database = openDatabase(path)
      expect(database.pragma('user_version')).toBe(migrations.length)
      const straight = openDatabase(join(freshFolder(), 'mixlab.db'))
      insertRun(straight)
      appendPoints(straight, 1, 1, points)
      const levels = 'select level, number, data from metric_level order by level, number'
      expect(database.all(levels)).toEqual(straight.all(levels))
      const [series] = readSeries(database, [1], 'loss', points.steps.length)
      expect(series).toEqual({ run: 1, ...points })
      database.close()
      straight.close()
    },
  )
})

describe('migrate to meanings', () => {
  const before = migrations.findIndex((step) => step.includes('metric_meaning'))

  it.each(migrations.slice(0, before).map((_, i) => i + 1))(
    'gives the metrics of version %i what they meant',
    (version) => {
      const path = join(freshFolder(), 'mixlab.db')
      const old = openDatabase(path, version)
      insertRun(old)
      const names = ['eval/accuracy', 'other/top5', 'train/gradient_norm', 'eval/macro_recall', 'eval/accuracy_top5']
      for (const [i, name] of names.entries()) {
        old.run('insert into metric_name (id, name) values (?, ?)', i + 2, name)
        old.run('insert into metric_summary values (1, ?, 3, 30, 1, 10, 1, 4, 3)', i + 2)
      }
      old.close()

      const database = openDatabase(path)
      const share = { better: 'higher', unit: 'share', bounds: [0, 1] }
      expect(Object.fromEntries(readMeanings(database))).toEqual({
        loss: [{ better: 'lower', unit: 'nats', bounds: [0, null], words: 'loss' }],
        'eval/accuracy': [{ ...share, words: 'accuracy', compared: true }],
        'other/top5': [{ ...share, words: 'top-5 accuracy' }],
        'train/gradient_norm': [{ bounds: [0, null], words: 'norm of the gradient' }],
      })
      const known = { last: 3, lastStep: 30, best: 1, bestStep: 10, min: 1, max: 4 }
      expect(readSummary(database, 1, 2)).toMatchObject({ ...known, meaning: share })
      for (const unknown of [4, 5, 6]) {
        expect(readSummary(database, 1, unknown)).toMatchObject({ ...known, best: 3, bestStep: 30 })
      }
      expect([5, 6].map((metric) => readSummary(database, 1, metric)?.meaning)).toEqual([undefined, undefined])
      database.close()
    },
  )

  it('says of one run alone that its accuracy was compared, where another was by perplexity', () => {
    const path = join(freshFolder(), 'mixlab.db')
    const old = openDatabase(path, before)
    insertRun(old)
    old.run("insert into metric_name (id, name) values (2, 'eval/accuracy'), (3, 'eval/perplexity')")
    old.run(`insert into run (id, key, study, variant, seed, status, backend, device, started_at, recorded_at, owner,
      owner_pid, spec, code) select 2, 'other', study, variant, seed, status, backend, device, started_at, recorded_at,
      owner, owner_pid, spec, code from run`)
    for (const [run, metric] of [
      [1, 2],
      [2, 2],
      [2, 3],
    ] as const) {
      old.run('insert into metric_summary values (?, ?, 3, 30, 1, 10, 1, 4, 3)', run, metric)
    }
    old.close()
    const database = openDatabase(path)
    const compared = (run: number, metric: number) => readSummary(database, run, metric)?.meaning?.compared
    expect([compared(1, 2), compared(2, 2), compared(2, 3)]).toEqual([true, undefined, true])
    database.close()
  })
})

function insertRun(database: Database): void {
  database.run(`insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner,
    owner_pid, spec, code) values ('', '', '', 0, 'interrupted', '', '', 0, 0, '', 0, '{}', '')`)
  database.run("insert into metric_name (name) values ('loss')")
}

/** As versions before there were levels did. */
function insertChunks(database: Database, { steps, values }: Line): void {
  for (let i = 0; i < steps.length; i += 1024) {
    const [part, numbers] = [steps.slice(i, i + 1024), values.slice(i, i + 1024)]
    database.run(
      'insert into metric_chunk values (1, 1, ?, ?, ?, 0, 0, 0, ?, ?, ?)',
      ...[i / 1024, part[0] ?? 0, part.at(-1) ?? 0, part.length],
      ...[part, numbers].map((list) => new Uint8Array(new Float64Array(list).buffer)),
    )
  }
}

it('marks runs that webgl trained, and puts them away', () => {
  const folder = freshWorkspace()
  const backends = ['webgl', 'simd', 'webgl, simd', 'simd, webgl', 'webgpu']
  const store = storeIn(folder)
  for (const backend of backends) store.beginRun(sampleRun({ backend, variant: backend }))
  store.close()
  const database = openDatabase(join(folder, '.mixlab/mixlab.db'))
  for (let time = 0; time < 2; time++) database.execute(migrations[20] as string)
  const marked = `select backend from run join tag on tag.run = run.id and name = 'doubtful'
    join run_entry on run_entry.run = run.id where archived = 1 order by backend`
  expect(database.all(marked)).toEqual(['simd, webgl', 'webgl', 'webgl, simd'].map((backend) => ({ backend })))
  database.close()
})
