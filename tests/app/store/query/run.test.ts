import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_ROWS, runSql } from '../../../../app/store/query/run.ts'
import { outcomes } from '../madeStore.ts'
import { begun, freshFolder, metricEvents, sampleRun, storeAt } from '../samples.ts'

/** The database of a workspace with a finished run, which has 2,000 points of `test/accuracy`, and one in training. */
function filled(): string {
  const folder = freshFolder()
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

describe('runQuery', () => {
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

  it('names the line of a mistake', () => {
    const failure = { code: 'store', path: 'line 3', message: 'line 3: no such column: losss' }
    expect(() => runSql(path, 'select\n  id, -- losss\n  losss\nfrom run')).toThrow(expect.objectContaining(failure))
  })

  it('needs a database', () => {
    expect(() => runSql(join(path, '..', 'none.db'), 'select 1')).toThrow()
  })
})
