import type { Database } from '../database.ts'
import { chunkSize, fromBlobs, type PackedPoints, type StoredChunk, unpackSteps } from './chunk.ts'
import type { SeriesPiece } from './levels.ts'

/** What is known of a series, with its points where they are in one chunk. */
export interface StoredSeries {
  count: number
  first: number
  last: number
  pieces: SeriesPiece[] | null
}

/** A metric of some runs, by run, in one question; runs without points are left out. */
export function storedSeries(database: Database, metric: number, runs: number[]): Map<number, StoredSeries> {
  const rows = database.all<StoredChunk & { run: number; count: number; first: number; last: number }>(
    `select summary.run, summary.count, chunk.first_step as first, summary.last_step as last, step_data, value_data
     from json_each(?) as wanted
     cross join metric_summary as summary on summary.run = wanted.value and summary.metric = ?
     cross join metric_chunk as chunk on chunk.run = wanted.value and chunk.metric = ? and chunk.number = 0`,
    ...[JSON.stringify(runs), metric, metric],
  )
  let known: { data: Uint8Array; steps: Float64Array } = { data: new Uint8Array(), steps: new Float64Array() }
  /** Steps like those of the run before are the same ones. */
  function pointsOf({ step_data, value_data }: StoredChunk): PackedPoints {
    const values = fromBlobs([value_data])
    if (known.steps.length !== values.length || Buffer.compare(known.data, step_data) !== 0)
      known = { data: step_data, steps: unpackSteps(step_data, values.length) }
    return { steps: known.steps, values }
  }
  return new Map(
    rows.map(({ run, count, first, last, ...chunk }) => {
      const pieces = count <= chunkSize ? [{ from: 0, points: pointsOf(chunk) }] : null
      return [run, { count, first, last, pieces }]
    }),
  )
}
