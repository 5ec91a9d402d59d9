import type { RunReport } from '../../engine/records/report.ts'
import type { Database } from './database.ts'
import { unknownRun } from './run.ts'

/** Keeps what the last evaluation of a run told, in place of what an earlier one did. Belongs inside a transaction. */
export function writeReport(database: Database, run: number, step: number, report: RunReport): void {
  database.run(
    'insert or replace into run_report (run, step, report) values (?, ?, ?)',
    run,
    step,
    JSON.stringify(report),
  )
}

/** Lets go of what a run told after `step`. */
export function cutReport(database: Database, run: number, step: number): void {
  database.run('delete from run_report where run = ? and step > ?', run, step)
}

/** Null for a run that has told nothing. Throws MixlabError `store` for an unknown run. */
export function readReport(database: Database, run: number): RunReport | null {
  const row = database.get<{ report: string }>('select report from run_report where run = ?', run)
  if (row) return JSON.parse(row.report) as RunReport
  if (!database.get('select 1 from run where id = ?', run)) throw unknownRun(run)
  return null
}
