import type { AlikeRun } from '../../../engine/records/run.ts'
import { keyOfSpec } from '../../../engine/study/key.ts'
import type { Database } from '../database.ts'
import { type RunRow, runColumns, withMetrics } from '../run.ts'

/** Configurations that are looked at, the newest ones. */
const NEWEST = 500

/** See `Host.alikeRuns`. */
export function alikeRuns(database: Database, spec: Record<string, unknown>): AlikeRun[] {
  const wanted = sharedBy(spec)
  const known = database
    .all<{ configuration: number; spec: string }>(
      `select configuration, spec, max(run.id) as newest from run_entry join run on run.id = run_entry.run
       where status = 'done' group by configuration order by newest desc limit ?`,
      NEWEST,
    )
    .filter((each) => sharedBy(JSON.parse(each.spec)) === wanted)
  const rows = database.all<RunRow & { model: number }>(
    `select ${runColumns}, (select configuration from run_entry where run_entry.run = run.id) as model from run
     where status = 'done' and id in (select run from run_entry where configuration in (select value from json_each(?)))
       and not exists (select 1 from design_run join design on design.id = design_run.design
         where design_run.key = run.key and json_array_length(json, '$.questions') = 0) -- a tuning, judged on validation alone
     order by id`,
    JSON.stringify(known.map(({ configuration }) => configuration)),
  )
  const runs = withMetrics(
    database,
    rows.map(({ model: _, ...row }) => row),
  )
  return runs.map((run, place) => ({ ...run, model: rows[place]?.model ?? 0 }))
}

/** What a run learns, from which data and how, without what learns it. */
function sharedBy({ data, task, train }: Record<string, unknown>): string {
  return keyOfSpec({ data, task, train })
}
