import type { RunReport } from '../../engine/records/report.ts'
import type { Database } from './database.ts'
import { checkRun } from './run.ts'

/** Stores the report of the last evaluation of a run, in place of an earlier one. Belongs inside a transaction. */
export function writeReport(database: Database, run: number, step: number, report: RunReport): void {
  const sql = 'insert or replace into run_report (run, step, report) values (?, ?, ?)'
  database.run(sql, run, step, JSON.stringify(report))
}

/** Deletes the reports of a run after `step`. */
export function truncateReport(database: Database, run: number, step: number): void {
  database.run('delete from run_report where run = ? and step > ?', run, step)
}

/** The report of a run; null for a run without one. Throws MixlabError `store` for an unknown run. */
export function readReport(database: Database, run: number): RunReport | null {
  const row = database.get<{ report: string }>('select report from run_report where run = ?', run)
  if (row) return JSON.parse(row.report) as RunReport
  checkRun(database, run)
  return null
}
