import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, SqlParameter } from '../../../app/store/database.ts'
import type { Store } from '../../../app/store/index.ts'
import { openDatabase } from '../../../app/store/open.ts'
import { appendPoints } from '../../../app/store/points/append.ts'
import { readBands } from '../../../app/store/points/bands.ts'
import { chunkSize } from '../../../app/store/points/chunk.ts'
import { readSeries } from '../../../app/store/points/series.ts'
import { writeSummary } from '../../../app/store/points/summary.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import type { TrainEvent } from '../../../engine/records/events.ts'
import type { Series, StepRange } from '../../../engine/records/series.ts'
import type { Line } from '../../../engine/study/align.ts'
import { metricSummary } from '../../../engine/study/metricSummary.ts'
import { freshStore, trainingStore } from './openedStores.ts'
import { eventsOf, randomSeries } from './randomSeries.ts'
import { begun, freshFolder, freshWorkspace, range, sampleRun, storeAt } from './samples.ts'

describe('series', () => {
  describe('readSeries', () => {
    it('keeps the extremes of a long series in about 1,000 points', () => {
      const { store, id } = trainingStore()
      const values = range(0, 50_000).map((i) => Math.sin(i / 100))
      values[31_234] = 99
      values[7] = -99
      store.record(id, eventsOf('loss', { steps: range(0, 50_000), values }))
      const [series] = store.readSeries([id], 'loss')
      expect(series?.values.length).toBeLessThanOrEqual(1002)
      expect(series?.values.length).toBeGreaterThan(900)
      expect(series?.values).toContain(99)
      expect(series?.steps).toContain(7)
      expect([series?.steps[0], series?.steps.at(-1)]).toEqual([0, 49_999])
      expect(series?.steps.every((step, i) => series.values[i] === values[step])).toBe(true)
    })

    it('answers in the order asked, with an empty series where there is none', () => {
      const store = freshStore()
      const [a, b] = [begun(store.beginRun(sampleRun())), begun(store.beginRun(sampleRun({ variant: 'other' })))]
      store.record(b, [{ type: 'metric', name: 'loss', step: 1, value: 2 }])
      const empty = { steps: [], values: [] }
      expect(store.readSeries([b, 99, a], 'loss')).toEqual([
        { run: b, steps: [1], values: [2] },
        { run: 99, ...empty },
        { run: a, ...empty },
      ])
      expect(store.readSeries([b], 'unknown')).toEqual([{ run: b, ...empty }])
      expect(store.readSeries([a], 'loss', 10, [0, 5])).toEqual([{ run: a, ...empty }])
    })

    it.each([0, -1, 1.5, Number.NaN])('rejects %s buckets', (buckets) => {
      const store = freshStore()
      expect(() => store.readSeries([1], 'loss', buckets)).toThrow(
        `buckets: ${buckets}: must be a whole number, 1 or more`,
      )
    })

    it.each<StepRange>([
      [2, 1],
      [Number.NaN, 3],
    ])('rejects the range %s to %s', (from, to) => {
      const store = freshStore()
      expect(() => store.readSeries([1], 'loss', 10, [from, to])).toThrow(
        `range: ${from} to ${to}: must go from a step to one that is not before it`,
      )
    })
  })

  describe('any window of any series', () => {
    const lengths = [1, 63, 64, 1023, 1024, 1025, 5000, 16_384, 40_000]
    const all = lengths.map((length, seed) => randomSeries(seed, length))
    let store: Store
    let ids: number[]

    beforeAll(() => {
      store = storeAt(freshWorkspace())
      ids = all.map((_, i) => begun(store.beginRun(sampleRun({ variant: `${lengths[i]} points` }))))
      for (const [i, points] of all.entries()) store.record(ids[i] ?? 0, eventsOf('loss', points))
    })
    afterAll(() => store.close())

    it.each(all.map((points, i) => [lengths[i], points, i] as const))('of %i points', (length, points, i) => {
      const key = keyOf(i, 'windows')
      const last = points.steps.at(-1) ?? 0
      for (const trial of range(0, 40)) {
        const [a, b] = [integer(key, 3 * trial, last + 20), integer(key, 3 * trial + 1, last + 20)]
        const asked: StepRange | undefined = trial % 4 === 0 ? undefined : [Math.min(a, b), Math.max(a, b)]
        const buckets = [1, 2, 3, 10, 99, 300, 1000, length][integer(key, 3 * trial + 2, 8)] ?? 1
        const [series] = store.readSeries([ids[i] ?? 0], 'loss', buckets, asked)
        checkWindow(series as Series, points, asked, buckets)
      }
    })
  })

  function checkWindow(series: Series, { steps, values }: Line, asked: StepRange | undefined, buckets: number): void {
    const after = asked ? steps.findIndex((step) => step > asked[1]) : -1
    const first = asked ? steps.findIndex((step) => step >= asked[0]) : 0
    const from = Math.max(0, (first < 0 ? steps.length : first) - 1)
    const to = after < 0 ? steps.length : after + 1
    const window = { steps: steps.slice(from, to), values: values.slice(from, to) }
    const count = to - from
    const found = { steps: series.steps, values: series.values }
    if (count <= buckets) {
      expect(found).toEqual(window)
      return
    }

    const stretches = Math.max(1, Math.floor(buckets / 2))
    expect(found.steps.length).toBeLessThanOrEqual(3 * stretches + 2)
    expect(found.steps.every((step, i) => i === 0 || step >= (found.steps[i - 1] ?? 0))).toBe(true)
    const real = new Set(window.steps.map((step, i) => `${step} ${window.values[i]}`))
    expect(found.steps.filter((step, i) => !real.has(`${step} ${found.values[i]}`))).toEqual([])
    const ends = ({ steps: s, values: v }: Line) => [s[0], v[0], s.at(-1), v.at(-1)]
    expect(ends(found)).toEqual(ends(window))
    expect(extremes(found.values)).toEqual(extremes(window.values))
    const missing = window.values.findIndex(Number.isNaN)
    if (missing >= 0) expect(found.values.findIndex(Number.isNaN)).toBeGreaterThanOrEqual(0)
    if (missing >= 0) expect(found.steps[found.values.findIndex(Number.isNaN)]).toBe(window.steps[missing])

    // Near every point, less than two stretches away, there is one that is no smaller, and one that is no larger.
    const near = Math.ceil((2 * count) / stretches)
    for (let i = 0; i < count; i += 1 + Math.floor(count / 50)) {
      const [low, high] = [window.steps[Math.max(0, i - near)] ?? 0, window.steps[Math.min(count - 1, i + near)] ?? 0]
      const around = extremes(found.values.filter((_, j) => within(found.steps[j] ?? 0, low, high)))
      const value = window.values[i] ?? 0
      if (!Number.isNaN(value)) expect([around[0] <= value, around[1] >= value]).toEqual([true, true])
    }
  }

  const within = (step: number, low: number, high: number) => step >= low && step <= high

  function extremes(values: number[]): [min: number, max: number] {
    const numbers = values.filter((value) => !Number.isNaN(value))
    return [
      numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    ]
  }
})

describe('chunks', () => {
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
    const { rows } = store.queryRuns({
      filter: '',
      sort: [],
      columns: ['loss@15000', 'loss@39990'],
      offset: 0,
      limit: 1,
    })
    expect(rows[0]?.values).toEqual([750, 1999.5])
    close()
  })
})

describe('cost of a view', () => {
  /** A database with a run 1 and a metric 1, `loss`. */
  function databaseWithRun(): Database {
    const database = openDatabase(join(freshFolder(), 'mixlab.db'))
    database.run(`insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner,
    owner_pid, spec, code) values ('', '', '', 0, 'interrupted', '', '', 0, 0, '', 0, '{}', '')`)
    database.run("insert into metric_name (name) values ('loss')")
    return database
  }

  /** A database that counts the bytes of the rows that are read from it. */
  function counted(database: Database): { database: Database; bytes: () => number } {
    let bytes = 0
    const count = (rows: object[]) => {
      for (const row of rows)
        for (const value of Object.values(row)) bytes += value instanceof Uint8Array ? value.length : 8
    }
    return {
      bytes: () => bytes,
      database: {
        ...database,
        all<Row>(sql: string, ...values: SqlParameter[]) {
          const rows = database.all<Row>(sql, ...values)
          count(rows as object[])
          return rows
        },
        get<Row>(sql: string, ...values: SqlParameter[]) {
          const row = database.get<Row>(sql, ...values)
          if (row) count([row as object])
          return row
        },
      },
    }
  }

  it('a view reads no more of a long series than of a short one, at any zoom', () => {
    const buckets = 200
    const read = (length: number) => {
      const { database, bytes } = counted(databaseWithRun())
      const points = { steps: range(0, length), values: range(0, length) }
      database.write(() => {
        appendPoints(database, 1, 1, points)
        writeSummary(database, 1, 1, metricSummary(null, points))
      })
      const before = bytes()
      const costs: number[] = []
      for (let width = length; width > 10; width /= 3) {
        const [from, to] = [Math.floor((length - width) / 2), Math.floor((length + width) / 2)]
        const start = bytes()
        readSeries(database, [1], 'loss', buckets, [from, to])
        const middle = bytes()
        readBands(database, [{ name: '', runs: [1] }], ['loss'], buckets / 2, [from, to])
        costs.push(middle - start, bytes() - middle)
      }
      expect(bytes()).toBeGreaterThan(before)
      database.close()
      return Math.max(...costs)
    }
    // 16 entries for each stretch, and what fills the gaps at the edges; all points would be 16 MB.
    const most = (buckets / 2) * 16 * 72 * 2 + 8 * 16 * 1024
    expect(read(10_000)).toBeLessThan(most)
    expect(read(100_000)).toBeLessThan(most)
    expect(read(1_000_000)).toBeLessThan(most)
  })
})
