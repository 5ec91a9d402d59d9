import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { chunkSize, packSteps, unpackSteps } from '../../../../app/store/points/chunk.ts'
import type { TrainEvent } from '../../../../engine/records/events.ts'
import { trainingStore } from '../openedStores.ts'
import { range } from '../samples.ts'

describe('the steps of a chunk', () => {
  it.each([
    ['none', []],
    ['one', [7]],
    ['two', [3, 9]],
    ['two alike', [3, 3]],
    ['three at even distances', [10, 20, 30]],
    ['three that are not', [10, 20, 31]],
    ['three alike', [5, 5, 5]],
    ['many from a great one on', range(0, chunkSize).map((i) => 2 ** 52 + 1000 * i)],
    ['many but for the last', range(0, chunkSize).map((i) => (i === chunkSize - 1 ? 5000 : i))],
    ['going down', [3, 2, 1]],
  ])('are read as they were stored: %s', (_, steps) => {
    const packed = packSteps(Float64Array.from(steps))
    expect(Array.from(unpackSteps(packed, steps.length))).toEqual(steps)
  })

  it('take 16 bytes at even distances, and 8 each otherwise', () => {
    expect(packSteps(Float64Array.from(range(0, chunkSize)))).toHaveLength(16)
    expect(packSteps(Float64Array.from([1, 2, 4]))).toHaveLength(24)
  })
})

/** A store with a run of 2,500 points whose steps are all stored, as by older versions, and what goes on with it. */
function olderStore() {
  const { folder, store, id } = trainingStore()
  const points = (from: number, to: number): TrainEvent[] =>
    range(from, to).map((i) => ({ type: 'metric', name: 'loss', step: 10 * i, value: i / 2 }))
  store.record(id, points(0, 2500))
  const raw = new BetterSqlite3(join(folder, '.mixlab/mixlab.db'))
  const size = () => raw.prepare<[], number>('select sum(length(step_data)) from metric_chunk').pluck().get()
  const small = size()
  const chunks = raw.prepare<[], { number: number; count: number }>('select number, count from metric_chunk').all()
  for (const { number, count } of chunks) {
    const steps = Float64Array.from({ length: count }, (_, i) => 10 * (number * chunkSize + i))
    raw.prepare('update metric_chunk set step_data = ? where number = ?').run(new Uint8Array(steps.buffer), number)
  }
  return { store, id, points, small, size, close: () => raw.close() }
}

it('chunks with all their steps are read and continued, and keep their bytes once they are full', () => {
  const { store, id, points, small, size, close } = olderStore()
  expect([small, size()]).toEqual([3 * 16, 8 * 2500])
  store.record(id, points(2500, 4000))
  expect(size()).toBe(2 * 8 * chunkSize + 2 * 16)
  const [series] = store.readSeries([id], 'loss', 1e9)
  expect(series?.steps).toEqual(range(0, 4000).map((i) => 10 * i))
  expect(series?.values).toEqual(range(0, 4000).map((i) => i / 2))
  const [part] = store.readSeries([id], 'loss', 1e9, [20_000, 30_000])
  expect(part?.steps).toEqual(range(1999, 3002).map((i) => 10 * i))
  const { rows } = store.queryRuns({ filter: '', sort: [], columns: ['loss@15000', 'loss@39990'], offset: 0, limit: 1 })
  expect(rows[0]?.values).toEqual([750, 1999.5])
  close()
})
