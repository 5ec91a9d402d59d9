import type { StoredHistogram } from '../../engine/records/histogram.ts'
import { BINS, type Histogram, normOf } from '../../engine/records/histogram.ts'
import type { TensorNorms } from '../../engine/records/norms.ts'
import type { Database } from './database.ts'
import { checkRun } from './run.ts'

type Kind = StoredHistogram['kind']

/** Keeps the histograms of a step of a run, by the name of the tensor. Belongs inside a transaction. */
export function writeHistograms(
  database: Database,
  run: number,
  kind: Kind,
  step: number,
  histograms: Record<string, Histogram>,
): void {
  const idOf = (name: string) =>
    database.get<{ id: number }>('select id from tensor_name where name = ?', name)?.id ??
    database.run('insert into tensor_name (name) values (?)', name)
  for (const [name, histogram] of Object.entries(histograms))
    database.run(
      'insert or replace into histogram (run, tensor, kind, step, data) values (?, ?, ?, ?, ?)',
      ...[run, idOf(name), kind, step, pack(histogram)],
    )
}

/** Deletes the histograms of a run after `step`. */
export function truncateHistograms(database: Database, run: number, step: number): void {
  database.run('delete from histogram where run = ? and step > ?', run, step)
}

/** The names of the tensors that a run has histograms of, sorted. Throws MixlabError `store` for an unknown run. */
export function listHistograms(database: Database, run: number): string[] {
  checkRun(database, run)
  const sql = `select distinct n.name from histogram as h cross join tensor_name as n on n.id = h.tensor where h.run = ?`
  const names = database.all<{ name: string }>(sql, run).map(({ name }) => name)
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

/**
 * The histograms of a tensor of a run, or of all, by tensor, kind and step. Throws MixlabError `store` for an unknown run.
 */
export function readHistograms(database: Database, run: number, name?: string): StoredHistogram[] {
  checkRun(database, run)
  const known =
    name === undefined ? null : database.get<{ id: number }>('select id from tensor_name where name = ?', name)
  if (known === undefined) return []
  const rows = database.all<{ name: string; kind: Kind; step: number; data: Uint8Array }>(
    `select n.name, h.kind, h.step, h.data from histogram as h cross join tensor_name as n on n.id = h.tensor
     where h.run = ? ${known ? 'and h.tensor = ?' : ''} order by h.tensor, h.kind, h.step`,
    ...(known ? [run, known.id] : [run]),
  )
  return rows.map(({ data, ...row }) => ({ ...row, ...unpack(data) }))
}

/**
 * The norms of all tensors of a run at each step with histograms, by tensor and step. Throws MixlabError `store` for an unknown
 * run.
 */
export function readNorms(database: Database, run: number): TensorNorms[] {
  const found = new Map<string, TensorNorms>()
  for (const { name, kind, step, ...histogram } of readHistograms(database, run)) {
    const key = `${step} ${name}`
    const row = found.get(key) ?? { name, step, weights: null, gradients: null, update: null }
    found.set(key, row)
    row[kind] = normOf(histogram)
    if (kind === 'weights') row.update = histogram.update ?? null
  }
  return [...found.values()]
}

/**
 * Bytes of min, max, mean and sd as float32. The counts follow, 7 bits a byte, the lowest first, and then the norm of the
 * update as float32, where it is known.
 */
const HEAD = 16

function pack({ min, max, mean, sd, notFinite, counts, update }: Histogram): Uint8Array {
  const bytes = [...new Uint8Array(new Float32Array([min, max, mean, sd]).buffer)]
  for (let count of [notFinite, ...counts]) {
    for (; count > 127; count = Math.floor(count / 128)) bytes.push(128 + (count % 128))
    bytes.push(count)
  }
  if (update !== undefined) bytes.push(...new Uint8Array(new Float32Array([update]).buffer))
  return Uint8Array.from(bytes)
}

function unpack(bytes: Uint8Array): Histogram {
  const [min = 0, max = 0, mean = 0, sd = 0] = new Float32Array(new Uint8Array(bytes.subarray(0, HEAD)).buffer)
  const numbers: number[] = []
  let number = 0
  let unit = 1
  let at = HEAD
  for (; at < bytes.length && numbers.length <= BINS; at++) {
    const byte = bytes[at] as number
    number += (byte % 128) * unit
    unit *= 128
    if (byte > 127) continue
    numbers.push(number)
    number = 0
    unit = 1
  }
  const [notFinite = 0, ...counts] = numbers
  const rest = new Uint8Array(bytes.subarray(at)).buffer
  const [update] = rest.byteLength === 4 ? new Float32Array(rest) : []
  return { min, max, mean, sd, notFinite, counts, ...(update !== undefined && { update }) }
}
