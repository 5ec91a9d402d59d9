import type { Line } from '../../../engine/study/align.ts'
import type { Database } from '../database.ts'
import { chunkSize, type PackedPoints, packSteps, type StoredChunk, toBlob, unpackChunk } from './chunk.ts'
import { addPoints, emptyEntry } from './entry.ts'
import { appendLevels } from './levels.ts'

/** Appends points to a series, filling its open chunk first. Belongs inside a transaction. */
export function appendPoints(database: Database, run: number, metric: number, points: Line): void {
  const last = database.get<StoredChunk & { number: number; count: number }>(
    `select number, count, step_data, value_data from metric_chunk
     where run = ? and metric = ? order by number desc limit 1`,
    run,
    metric,
  )
  const open = last && last.count < chunkSize ? last : null
  let number = open ? open.number : last ? last.number + 1 : 0
  const before = open && unpackChunk(open)
  const steps = appended(before?.steps, points.steps)
  const values = appended(before?.values, points.values)
  for (let i = 0; i < steps.length; i += chunkSize, number++) {
    const part = { steps: steps.subarray(i, i + chunkSize), values: values.subarray(i, i + chunkSize) }
    writeChunk(database, run, metric, number, part)
  }
}

/** Numbers that are stored, if any, and more after them. */
function appended(before: Float64Array | undefined, numbers: number[]): Float64Array {
  const length = before?.length ?? 0
  const all = new Float64Array(length + numbers.length)
  if (before) all.set(before)
  all.set(numbers, length)
  return all
}

function writeChunk(database: Database, run: number, metric: number, number: number, points: PackedPoints): void {
  const { firstStep, lastStep, min, max } = addPoints(emptyEntry(), points)
  const count = points.values.length
  database.run(
    `insert into metric_chunk
       (run, metric, number, first_step, last_step, min, max, last, count, step_data, value_data)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (run, metric, number) do update set last_step = excluded.last_step, min = excluded.min,
       max = excluded.max, last = excluded.last, count = excluded.count, step_data = excluded.step_data,
       value_data = excluded.value_data`,
    ...[run, metric, number, firstStep, lastStep, min, max, points.values[count - 1] ?? Number.NaN, count],
    ...[packSteps(points.steps), toBlob(points.values)],
  )
  if (count === chunkSize) appendLevels(database, run, metric, number, points)
}
