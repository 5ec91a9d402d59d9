import type { Database } from './database.ts'
import { type Points, summarize } from './summary.ts'

/** Points of one series that share a row. */
export const chunkSize = 1024

/** The points of one metric as they are read. */
export interface PackedPoints {
  steps: Float64Array
  values: Float64Array
}

interface OpenChunk {
  number: number
  count: number
  step_data: Uint8Array
  value_data: Uint8Array
}

/** Appends points to a series, filling its open chunk first. Belongs inside a transaction. */
export function appendPoints(database: Database, run: number, metric: number, points: Points): void {
  const last = database.get<OpenChunk>(
    `select number, count, step_data, value_data from metric_chunk
     where run = ? and metric = ? order by number desc limit 1`,
    run,
    metric,
  )
  const open = last && last.count < chunkSize ? last : null
  let number = open ? open.number : last ? last.number + 1 : 0
  const steps = open ? [...fromBlob(open.step_data), ...points.steps] : points.steps
  const values = open ? [...fromBlob(open.value_data), ...points.values] : points.values
  for (let i = 0; i < steps.length; i += chunkSize, number++) {
    const part = { steps: steps.slice(i, i + chunkSize), values: values.slice(i, i + chunkSize) }
    writeChunk(database, run, metric, number, part)
  }
}

function writeChunk(database: Database, run: number, metric: number, number: number, points: Points): void {
  const { last, lastStep, min, max, count } = summarize(null, points, false)
  database.run(
    `insert or replace into metric_chunk
       (run, metric, number, first_step, last_step, min, max, last, count, step_data, value_data)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run,
    metric,
    number,
    points.steps[0] ?? 0,
    lastStep,
    min,
    max,
    last,
    count,
    toBlob(points.steps),
    toBlob(points.values),
  )
}

/** All points of a series. */
export function readPoints(database: Database, run: number, metric: number): PackedPoints {
  const chunks = database.all<Pick<OpenChunk, 'step_data' | 'value_data'>>(
    'select step_data, value_data from metric_chunk where run = ? and metric = ? order by number',
    run,
    metric,
  )
  return {
    steps: fromBlob(Buffer.concat(chunks.map((chunk) => chunk.step_data))),
    values: fromBlob(Buffer.concat(chunks.map((chunk) => chunk.value_data))),
  }
}

// Float64, little-endian like every machine this runs on.
function toBlob(numbers: number[]): Uint8Array {
  return new Uint8Array(new Float64Array(numbers).buffer)
}

export function fromBlob(bytes: Uint8Array): Float64Array {
  // A copy, because the bytes need not be aligned.
  return new Float64Array(new Uint8Array(bytes).buffer)
}
