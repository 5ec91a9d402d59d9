import type { PlannedRun } from '../../../engine/records/run.ts'
import { optionsOf } from '../../../engine/runs/options.ts'
import { keyOfSpec, withoutText } from '../../../engine/study/key.ts'
import type { Database } from '../database.ts'

type Configured = Pick<PlannedRun, 'study' | 'variant' | 'spec'>

/** Enters a run into the lists under its configuration. Belongs inside a transaction. */
export function enterRun(database: Database, run: number, configured: Configured): void {
  const configuration = configurationOf(database, configured)
  database.run('insert or ignore into run_entry (run, configuration) values (?, ?)', run, configuration)
}

/** The id of the configuration of a run, made where it is the first of its kind. Inside a transaction. */
export function configurationOf(database: Database, { study, variant, spec }: Configured): number {
  const { seed: _, from, teacher, ...shared } = spec
  const taught = teacher === undefined ? undefined : startOf(database, teacher)
  const hash = keyOfSpec({
    study,
    variant,
    shared: withoutText(shared),
    from: startOf(database, from),
    teacher: taught,
  })
  const known = database.get<{ id: number }>('select id from configuration where hash = ?', hash)
  if (known) return known.id
  const id = database.run('insert into configuration (hash, study, variant) values (?, ?, ?)', hash, study, variant)
  for (const [name, value] of Object.entries(optionsOf(spec))) {
    database.run('insert or ignore into option_name (name) values (?)', name)
    const sql =
      'insert into option (configuration, name, value) values (?, (select id from option_name where name = ?), ?)'
    database.run(sql, id, name, value)
  }
  return id
}

/** What a run starts from, or learns from, without the seed: the configuration of that run. */
function startOf(database: Database, from: unknown): string | null {
  if (typeof from !== 'object' || from === null || !('key' in from) || typeof from.key !== 'string') return null
  const found = database.get<{ hash: string }>(
    `select hash from configuration where id =
       (select configuration from run_entry where run = (select id from run where key = ? limit 1))`,
    from.key,
  )
  return found?.hash ?? from.key
}
