import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { histogramOf } from '../../../engine/records/histogram.ts'
import { CURVE_AXES } from '../../../engine/records/series.ts'
import { begun, freshWorkspace, metricEvents, sampleRun, storeAt } from './samples.ts'

it('no query reads a table of points or summaries as a whole, and none the runs but to list them', () => {
  const folder = freshWorkspace()
  const store = storeAt(folder)
  const { study, variant, key } = sampleRun()
  const origin = { notebook: 'a.ts', cell: 'a', name: null, source: '', quick: false }
  const id = begun(store.beginRun(sampleRun({ origin })))
  store.beginRun(sampleRun({ variant: 'b' }))
  const weights = new Uint8Array([1])
  store.record(id, [{ type: 'start', steps: 1, parameters: 1 }, ...metricEvents('loss', 0, 10)])
  store.record(id, [{ type: 'checkpoint', step: 1, weights }])
  store.record(id, [{ type: 'checkpoint', step: 2, weights: new Uint8Array([2]) }])
  store.record(id, metricEvents('loss', 10, 3000))
  store.findDone([key])
  store.findResumable([key], 'cpu')
  store.readState(id)
  store.listExports(id)
  for (const filter of [
    {},
    { study },
    { variant },
    { status: 'done' as const },
    { keys: [key] },
    { study, variant },
    { notebook: 'a.ts' },
    { cell: 'a' },
  ]) {
    store.listRuns(filter)
    store.listRuns({ ...filter, limit: 3 })
  }
  store.moveRuns('a.ts', 'b.ts')
  for (const reference of [`${id}`, key.slice(0, 4), `${study}/${variant}/0`]) store.showRun(reference)
  store.showRuns([id])
  for (const reference of ['99', '0000', 'x/y/0', `${study}/y/0`, `${study}/${variant}/9`]) {
    expect(() => store.showRun(reference)).toThrow()
  }
  store.readSeries([id], 'loss')
  store.readSeries([id], 'loss', 10, [100, 2000])
  store.readBands([{ name: 'a', runs: [id] }], ['loss'], 10, [100, 2000])
  for (const x of CURVE_AXES) {
    const curves = { filter: 'study:a', metric: 'loss', by: ['lr', 'loss'], x, logX: true, lines: [id], buckets: 10 }
    store.readCurves(curves)
    store.readCurves({ ...curves, filter: '', range: [100, 2000] })
  }
  for (const filter of ['', 'study:a lr<1']) store.differingOptions(filter)
  store.readReport(id)
  store.tagRuns([id], ['a'], ['b'])
  store.noteRun(id, 'a note')
  store.archiveRuns([id], false)
  store.pinBaseline(study, variant)
  store.pinBaseline(study, null)
  const columns = ['study', 'tags', 'train.steps', 'loss', 'best:loss', 'loss@3']
  const filters = ['', 'word -a', 'study:a -tag:b note:c', 'train.steps<3 train.steps:a', 'loss>1 max:loss:1 device:a']
  for (const filter of filters) {
    for (const column of ['id', 'study', 'tags', 'time', 'macs', 'train.steps', 'best:loss']) {
      const asked = { filter, sort: [{ column, descending: true }], columns, offset: 0, limit: 10 }
      store.queryRuns(asked)
      store.groupRuns(asked)
    }
  }
  expect(() => store.readReport(99)).toThrow('no such run')
  expect(store.readOutcomes(id)).toBeNull()
  store.readWeights(id)
  const spread = histogramOf([1, 2])
  store.record(id, [
    { type: 'histograms', step: 2, weights: { w: spread }, gradients: { w: spread } },
    { type: 'snapshot', step: 2, weights },
    { type: 'done', step: 2 },
  ])
  expect(store.trainAgain([id])).toEqual([id])
  expect(store.listHistograms(id)).toEqual(['w'])
  expect(store.readHistograms(id)).toHaveLength(store.readHistograms(id, 'w').length)
  expect(store.listWeights(id)).toHaveLength(2)
  store.readWeights(id, 2)
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
  // Small ones: as many rows as there are names, or as the user has set marks.
  const small = ['configuration', 'metric_name', 'metric_meaning', 'option_name', 'tag', 'baseline', 'allowed_path']
  expect(new Set(tables)).toEqual(new Set(['json_each', 'wanted', 'shown', 'asked', 'run', ...small]))
  // Runs are scanned from the newest, or by an index.
  for (const { sql, detail } of scans.filter(({ detail }) => detail.startsWith('SCAN run'))) {
    expect([sql, detail.includes('INDEX') || sql.includes('order by id desc limit')]).toEqual([sql, true])
  }
})
