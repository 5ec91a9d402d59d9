import type { ExportRecord, StoredExport } from '../../engine/records/exports.ts'
import type { Database } from './database.ts'
import { checkRun } from './run.ts'

/** Keeps that a model was written from the weights of a run. Throws MixlabError `store` for an unknown run. */
export function recordExport(database: Database, run: number, written: ExportRecord): void {
  checkRun(database, run)
  const { format, sha256, weights, folded, toeplitz, examples, difference } = written
  const sql = `insert into export (run, format, sha256, weights, folded, toeplitz, examples, difference, written_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const flags = [Number(folded), Number(toeplitz)] as const
  database.run(sql, run, format, sha256, String(weights), ...flags, examples, difference, Date.now())
}

type Row = Omit<StoredExport, 'weights' | 'folded' | 'toeplitz'> & { weights: string; folded: number; toeplitz: number }

/** What was written of a run, the first one first. Throws MixlabError `store` for an unknown run. */
export function listExports(database: Database, run: number): StoredExport[] {
  checkRun(database, run)
  const columns = 'format, sha256, weights, folded, toeplitz, examples, difference, written_at as at'
  const rows = database.all<Row>(`select ${columns} from export where run = ? order by id`, run)
  return rows.map(({ weights, folded, toeplitz, ...row }) => ({
    ...row,
    weights: weights === 'last' || weights === 'best' ? weights : Number(weights),
    folded: folded === 1,
    toeplitz: toeplitz === 1,
  }))
}
