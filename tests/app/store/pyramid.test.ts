import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Database, SqlParameter } from '../../../app/store/database.ts'
import { openDatabase } from '../../../app/store/open.ts'
import { appendPoints } from '../../../app/store/points/append.ts'
import { readBands } from '../../../app/store/points/bands.ts'
import { type LevelEntry, unpackEntries } from '../../../app/store/points/entry.ts'
import { pointsPerEntry } from '../../../app/store/points/levels.ts'
import { readSeries } from '../../../app/store/points/series.ts'
import { writeSummary } from '../../../app/store/points/summary.ts'
import { truncateSeries } from '../../../app/store/points/truncate.ts'
import { integer, keyOf } from '../../../engine/random.ts'
import type { Line } from '../../../engine/study/align.ts'
import { metricSummary } from '../../../engine/study/metricSummary.ts'
import { randomSeries } from './randomSeries.ts'
import { freshFolder, range } from './samples.ts'

/** A database with a run 1 and a metric 1, `loss`. */
function databaseWithRun(): Database {
  const database = openDatabase(join(freshFolder(), 'mixlab.db'))
  database.run(`insert into run (key, study, variant, seed, status, backend, device, started_at, recorded_at, owner,
    owner_pid, spec, code) values ('', '', '', 0, 'interrupted', '', '', 0, 0, '', 0, '{}', '')`)
  database.run("insert into metric_name (name) values ('loss')")
  return database
}

function append(database: Database, points: Line, sizes: number[]): void {
  const part = (list: number[], from: number, size: number) => list.slice(from, from + size)
  database.write(() => {
    for (let from = 0, i = 0; from < points.steps.length; from += sizes[i % sizes.length] ?? 1, i++) {
      const size = sizes[i % sizes.length] ?? 1
      appendPoints(database, 1, 1, { steps: part(points.steps, from, size), values: part(points.values, from, size) })
    }
    writeSummary(database, 1, 1, metricSummary(null, points))
  })
}

function levelsOf(database: Database): { level: number; number: number; entries: LevelEntry[] }[] {
  const rows = database.all<{ level: number; number: number; data: Uint8Array }>(
    'select level, number, data from metric_level where run = 1 and metric = 1 order by level, number',
  )
  return rows.map(({ data, ...place }) => ({ ...place, entries: unpackEntries(data) }))
}

/** The entries that a series must have, made without the store. */
function entriesOf(points: Line): Map<number, LevelEntry[]> {
  const full = Math.floor(points.steps.length / 1024) * 1024
  const levels = new Map<number, LevelEntry[]>()
  for (let level = 1; pointsPerEntry(level) <= full; level++) {
    const size = pointsPerEntry(level)
    levels.set(
      level,
      range(0, Math.floor(full / size)).map((i) => entryOf(points, i * size, (i + 1) * size)),
    )
  }
  return levels
}

function entryOf(points: Line, from: number, to: number): LevelEntry {
  const [steps, values] = [points.steps.slice(from, to), points.values.slice(from, to)]
  const numbers = values.filter((value) => !Number.isNaN(value))
  const min = numbers.reduce((a, b) => Math.min(a, b))
  const max = numbers.reduce((a, b) => Math.max(a, b))
  const stepOf = (index: number) => steps[index] ?? Number.NaN
  return {
    ...{ firstStep: stepOf(0), lastStep: stepOf(steps.length - 1), numbers: numbers.length },
    sum: expect.closeTo(
      numbers.reduce((a, b) => a + b, 0),
      6,
    ),
    ...{ min, minStep: stepOf(values.indexOf(min)), max, maxStep: stepOf(values.indexOf(max)) },
    nanStep: stepOf(values.findIndex(Number.isNaN)),
  }
}

/** The levels of a database as lists of entries, checked to fill their rows. */
function listsOf(database: Database): Map<number, LevelEntry[]> {
  const levels = new Map<number, LevelEntry[]>()
  for (const { level, number, entries } of levelsOf(database)) {
    const list = levels.get(level) ?? []
    expect([level, number * 16]).toEqual([level, list.length])
    levels.set(level, [...list, ...entries])
  }
  return levels
}

describe('the levels of a series', () => {
  it.each([
    [1023, [1023]],
    [1024, [7]],
    [20_000, [1, 2, 1021, 1024, 1025, 5000, 13, 999]],
    [20_000, [20_000]],
    [300_000, [100_000]],
  ])('of %i points are right, whatever the batches were: %j', (count, sizes) => {
    const points = randomSeries(count, count)
    const database = databaseWithRun()
    append(database, points, sizes)
    expect(listsOf(database)).toEqual(entriesOf(points))
    database.close()
  })

  it('are right after a run has gone on from an earlier step', () => {
    const points = randomSeries(3, 40_000)
    const database = databaseWithRun()
    const key = keyOf(3, 'cuts')
    append(database, points, [3000])
    for (const i of range(0, 5)) {
      const step = integer(key, i, points.steps.at(-1) ?? 0)
      const kept = points.steps.filter((each) => each <= step).length
      database.write(() => truncateSeries(database, 1, step))
      const left = { steps: points.steps.slice(0, kept), values: points.values.slice(0, kept) }
      expect(listsOf(database)).toEqual(entriesOf(left))
      database.write(() => truncateSeries(database, 1, 0))
      expect(listsOf(database).size).toBe(0)
      append(database, points, [5000])
    }
    database.close()
  })
})

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
    append(database, points, [length])
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
