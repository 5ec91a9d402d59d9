import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { StartQuery } from '../../../../app/store/query/answer.ts'
import { errorLine } from '../../../../app/store/query/errorLine.ts'
import { forkQuery } from '../../../../app/store/query/fork.ts'
import { openQueries } from '../../../../app/store/query/queries.ts'
import { MAX_ROWS, runSql } from '../../../../app/store/query/run.ts'
import { messageOf } from '../../../../engine/errors.ts'
import { outcomes } from '../madeStore.ts'
import { storeIn } from '../openedStores.ts'
import { begun, freshWorkspace, metricEvents, sampleRun, storeAt } from '../samples.ts'

describe('runQuery', () => {
  /** The database of a workspace with a finished run, which has 2,000 points of `test/accuracy`, and one in training. */
  function filled(): string {
    const folder = freshWorkspace()
    const store = storeAt(folder)
    const id = begun(store.beginRun(sampleRun({ seed: 3 })))
    store.record(id, [{ type: 'start', steps: 2000, parameters: 7 }])
    store.record(id, [
      ...metricEvents('test/accuracy', 0, 2000),
      { type: 'metric', name: 'loss"', step: 1, value: Number.NaN },
      { type: 'checkpoint', step: 2000, weights: new Uint8Array([5]) },
      { type: 'outcomes', step: 2000, outcomes },
      { type: 'done', step: 2000 },
    ])
    const second = begun(store.beginRun(sampleRun({ variant: 'mixer' })))
    store.record(second, [{ type: 'start', steps: 10, parameters: 9 }, ...metricEvents('test/accuracy', 0, 10)])
    store.close()
    return join(folder, '.mixlab/mixlab.db')
  }

  const path = filled()
  const rowsOf = (sql: string) => runSql(path, sql).rows

  it('gives columns and rows', () => {
    const sql = 'select id, variant, null as missing from run order by id;\n-- done'
    expect(runSql(path, sql)).toEqual({
      columns: ['id', 'variant', 'missing'],
      rows: [
        [1, 'gmlp', null],
        [2, 'mixer', null],
      ],
      truncated: false,
    })
  })

  it('shows every point as a row of metric', () => {
    expect(rowsOf('select run, name, count(*), max(step), max(value) from metric group by run, name')).toEqual([
      [1, 'loss"', 1, 1, null],
      [1, 'test/accuracy', 2000, 1999, 999.5],
      [2, 'test/accuracy', 10, 9, 4.5],
    ])
    expect(runSql(path, "select * from metric where run = 1 and name = 'test/accuracy' and step = 1500")).toEqual({
      columns: ['run', 'name', 'step', 'value'],
      rows: [[1, 'test/accuracy', 1500, 750]],
      truncated: false,
    })
  })

  it('shows what came of each test example of a run as a row of example', () => {
    const sql = 'select run, test, example, loss, right, class from example where run = 1'
    expect(rowsOf(sql)).toEqual([[1, 'test', 0, 2, null, null]])
    expect(rowsOf('select * from example where run = 2')).toEqual([])
  })

  it('shows what each metric of a run means as a row of metrics', () => {
    const sql = 'select name, best, better, unit, low, high, words from metrics where run = 1 order by name'
    expect(rowsOf(sql)).toEqual([
      ['loss"', null, null, null, null, null, null],
      ['test/accuracy', 999.5, 'higher', 'share', 0, 1, 'accuracy'],
    ])
  })

  it('reads the points only of the metrics that a condition names', () => {
    const plan = rowsOf("explain query plan select * from metric where run = 1 and name = 'loss'")
    const text = plan.map((row) => row[3]).join('\n')
    expect(text).toMatch(/SEARCH summary USING PRIMARY KEY \(run=\?/)
    expect(text).toMatch(/SCAN points VIRTUAL TABLE/)
  })

  it('shows a run with key facts and the last value of each metric', () => {
    const sql = 'select study, variant, seed, status, steps, "test/accuracy", "loss""" from runs order by id'
    expect(rowsOf(sql)).toEqual([
      ['gating', 'gmlp', 3, 'done', 2000, 999.5, null],
      ['gating', 'mixer', 0, 'interrupted', 10, 4.5, null],
    ])
    const { columns } = runSql(path, 'select * from runs')
    expect(columns.slice(-3)).toEqual(['cell', 'test/accuracy', 'loss"'])
  })

  it('sums up studies', () => {
    expect(rowsOf('select study, variants, runs, done, interrupted from studies')).toEqual([['gating', 2, 2, 1, 1]])
  })

  it('cuts long answers and long texts, and counts bytes', () => {
    const many = runSql(path, 'with n(i) as (select 1 union all select i + 1 from n limit 9000) select i from n')
    expect(many.rows).toHaveLength(MAX_ROWS)
    expect(many.truncated).toBe(true)
    expect(rowsOf("select zeroblob(12), length(printf('%.*c', 9000, 'x'))")).toEqual([['12 bytes', 9000]])
    expect(String(rowsOf("select printf('%.*c', 9000, 'x')")[0]?.[0])).toHaveLength(4003)
  })

  it.each([
    ['insert into run (id) values (9)', 'cannot change the store'],
    ['delete from run', 'cannot change the store'],
    ['create table mine (a)', 'cannot change the store'],
    ['create temp table mine (a)', 'cannot change the store'],
    ['pragma journal_mode = delete', 'cannot change the store'],
    ['pragma user_version = 9', 'cannot change the store'],
    ["vacuum into '/tmp/never.db'", 'cannot change the store'],
    ["attach '/tmp/never.db' as other", 'a query gives rows'],
    ['begin', 'a query gives rows'],
    ["select load_extension('x')", 'not authorized'],
    ['select 1; select 2', 'a cell holds one query'],
    [' -- nothing', 'the query is empty'],
    ['select ?', 'a query has no parameters'],
  ])('refuses %s', (sql, reason) => {
    expect(() => runSql(path, sql)).toThrow(
      expect.objectContaining({ code: 'store', message: expect.stringContaining(reason) }),
    )
    expect(rowsOf('select count(*) from run')).toEqual([[2]])
  })

  it('needs a database', () => {
    expect(() => runSql(join(path, '..', 'none.db'), 'select 1')).toThrow()
  })
})

describe('queries in processes', () => {
  const ENDLESS = 'with n(i) as (select 1 union all select i + 1 from n) select count(*) from n'

  function database() {
    const folder = freshWorkspace()
    const store = storeIn(folder)
    begun(store.beginRun(sampleRun()))
    return { path: join(folder, '.mixlab/mixlab.db'), close: store.close }
  }

  it('answers from a process of its own, beside an open store', async () => {
    const { path, close } = database()
    const queries = openQueries(path, forkQuery)
    expect(await queries.run('select status from run')).toEqual({
      columns: ['status'],
      rows: [['running']],
      truncated: false,
    })
    await expect(queries.run('select\nx from run')).rejects.toMatchObject({
      code: 'store',
      path: 'line 2',
      message: 'line 2: no such column: x',
    })
    close()
  })

  it('kills a query that takes too long, and goes on', async () => {
    const { path, close } = database()
    const queries = openQueries(path, forkQuery, 0.5)
    await expect(queries.run(ENDLESS)).rejects.toThrow('the query was stopped after 0.5 s')
    close()
  })

  it('asks one query at a time', async () => {
    const ends: (() => void)[] = []
    const start = vi.fn<StartQuery>((_, end) => {
      ends.push(() => end({ result: { columns: [], rows: [], truncated: false } }))
      return () => {}
    })
    const queries = openQueries('a.db', start)
    const both = [queries.run('select 1'), queries.run('select 2')]
    await expect.poll(() => start).toHaveBeenCalledTimes(1)
    ends[0]?.()
    await both[0]
    await expect.poll(() => start).toHaveBeenCalledTimes(2)
    ends[1]?.()
    await both[1]
    expect(start.mock.calls.map(([{ sql }]) => sql)).toEqual(['select 1', 'select 2'])
  })

  it('tells of a process that dies', async () => {
    const start: StartQuery = (_, end) => {
      end(null)
      return () => {}
    }
    await expect(openQueries('a.db', start).run('select 1')).rejects.toThrow('ended without an answer')
  })

  it('stops the query that is not wanted any more, whether it runs or waits, and no other', async () => {
    const { path, close } = database()
    const start = vi.fn<StartQuery>(forkQuery)
    const queries = openQueries(path, start)
    const running = queries.run(ENDLESS)
    const [waiting, other] = [queries.run('select 1 as n'), queries.run('select 2 as n')]
    await expect.poll(() => start).toHaveBeenCalledOnce()
    for (const sql of ['select 1 as n', ENDLESS, 'select 3']) queries.cancel(sql)
    await expect(running).rejects.toThrow('the query was stopped')
    await expect(waiting).rejects.toThrow('the query was stopped')
    expect((await other).rows).toEqual([[2]])
    expect(start).toHaveBeenCalledTimes(2)
    queries.cancel(ENDLESS)
    expect((await queries.run('select 1 as n')).rows).toEqual([[1]])
    close()
  })

  it('kills what runs and refuses what waits when it is closed', async () => {
    const kill = vi.fn()
    const start = vi.fn<StartQuery>(() => kill)
    const queries = openQueries('a.db', start)
    const [running, waiting] = [queries.run('select 1'), queries.run('select 2')]
    await expect.poll(() => start).toHaveBeenCalledTimes(1)
    queries.close()
    await expect(running).rejects.toMatchObject({ code: 'store' })
    await expect(waiting).rejects.toThrow('the store is closed')
    expect(kill).toHaveBeenCalledOnce()
  })
})

describe('the line of an error', () => {
  const database = new BetterSqlite3(':memory:')
  database.exec('create table a (x); create table b (x)')
  afterAll(() => database.close())

  function complaint(sql: string): string | null {
    try {
      database.prepare(sql)
      return null
    } catch (error) {
      return messageOf(error)
    }
  }

  it.each<[string, number | null]>([
    ['selec 1', 1],
    ['select x\nfrom a\nwher x = 1 order by x', 3],
    ['select 1 as a,\n\n  2 as b,\nfrom a', 4],
    ["select 'from' -- from\nfrom\nfrom a", 3],
    ['select x\nfrom a where (', 2],
    ['select x,\n y from a', 2],
    ["select 'y',\n y from a", 2],
    ['select 1\nfrom c', 2],
    ['select x\nfrom a, b', 1],
    ['select\nfoo(x) from a', 2],
    ['select 1,\n a.zz from a', 2],
    ['select max() from a', 1],
    ["select x from a\nwhere x = 'open", 2],
  ])('finds the line of what is wrong in %j', (sql, line) => {
    expect(errorLine(sql, complaint(sql) ?? '', complaint)).toBe(line)
  })

  it('finds nothing where the message names nothing', () => {
    expect(errorLine('select 1', 'database is locked', complaint)).toBe(null)
  })
})
