import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { begun, freshFolder, metricEvents, sampleRun, storeAt } from './samples.ts'

it('no query reads a table of points or summaries as a whole, and none the runs but to list them', () => {
  const folder = freshFolder()
  const store = storeAt(folder)
  const { study, variant, key } = sampleRun()
  const id = begun(store.beginRun(sampleRun()))
  const weights = new Uint8Array([1])
  store.record(id, [{ type: 'start', steps: 1, parameters: 1 }, ...metricEvents('loss', 0, 10)])
  store.record(id, [{ type: 'checkpoint', step: 1, weights }])
  store.record(id, [
    { type: 'checkpoint', step: 2, weights: new Uint8Array([2]) },
    { type: 'done', step: 1 },
  ])
  store.findDone([key])
  store.findResumable([key], 'cpu')
  store.readState(id)
  for (const filter of [{}, { study }, { variant }, { status: 'done' as const }, { keys: [key] }, { study, variant }]) {
    store.listRuns(filter)
    store.listRuns({ ...filter, limit: 3 })
  }
  for (const reference of [`${id}`, key.slice(0, 4), `${study}/${variant}/0`]) store.showRun(reference)
  for (const reference of ['99', '0000', 'x/y/0', `${study}/y/0`, `${study}/${variant}/9`]) {
    expect(() => store.showRun(reference)).toThrow()
  }
  store.readSeries([id], 'loss')
  store.readReport(id)
  expect(() => store.readReport(99)).toThrow('no such run')
  store.readWeights(id)
  store.writeOutput('a.ts', { cell: 'a', fingerprint: 'f', output: 1 })
  store.readOutputs('a.ts')
  store.allowPath('/data')
  store.allowedPaths()

  const texts = store.statements().filter((sql) => !sql.startsWith('insert'))
  expect(texts.length).toBeGreaterThan(20)
  const raw = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'), { readonly: true })
  const scans = texts.flatMap((sql) => {
    const nothing = Array.from({ length: sql.split('?').length - 1 }, () => null)
    const steps = raw.prepare<null[], { detail: string }>(`explain query plan ${sql}`).all(...nothing)
    return steps.filter(({ detail }) => detail.startsWith('SCAN')).map(({ detail }) => ({ sql, detail }))
  })
  raw.close()
  store.close()

  const tables = scans.map(({ detail }) => detail.split(' ')[1])
  expect(new Set(tables)).toEqual(new Set(['sqlite_schema', 'json_each', 'wanted', 'run', 'allowed_path']))
  // Runs are scanned from the newest, or by an index.
  for (const { sql, detail } of scans.filter(({ detail }) => detail.startsWith('SCAN run'))) {
    expect([sql, detail.includes('INDEX') || sql.includes('order by id desc limit')]).toEqual([sql, true])
  }
})
