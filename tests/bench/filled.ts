import BetterSqlite3 from 'better-sqlite3'
import { openStore } from '../../app/store/index.ts'
import { openWorkspace } from '../../app/workspace/index.ts'
import { EVERY, eventsOf, generatedRuns, METRICS } from './generated.ts'

/** Runs that are generated; the others are copies of them with other seeds, which takes a tenth of the time. */
const GENERATED = 20
/** Runs with all their points, so many of each metric; of the others there is what the table of runs needs. */
export const WITH_POINTS = 1000
export const POINTS = 1000
export const RUNS = 100_000

/** Fills a new workspace with so many runs, of which the first thousand have 10 M points together. */
export function fillStore(folder: string, runs = RUNS): void {
  const workspace = openWorkspace(folder)
  const store = openStore(workspace)
  const points = GENERATED * POINTS * METRICS.length
  for (const run of generatedRuns(GENERATED, points)) {
    const id = store.beginRun(run.start)?.id
    if (id === undefined) throw new Error('the workspace is not new')
    const full = { ...run, points: POINTS }
    store.record(id, [{ type: 'start', steps: POINTS * EVERY, parameters: 1_000_000 }])
    store.record(id, eventsOf(full, 0, POINTS))
    store.record(id, [{ type: 'done', step: POINTS * EVERY }])
  }
  store.close()
  const database = new BetterSqlite3(workspace.database)
  database.pragma('synchronous = off')
  copy(database, GENERATED, WITH_POINTS, ['run_entry', 'run_owner', 'metric_chunk', 'metric_summary'])
  copy(database, WITH_POINTS, runs, ['run_entry', 'run_owner', 'metric_summary'])
  database.pragma('wal_checkpoint(truncate)')
  database.close()
}

/** Copies the first `from` runs, with their rows of some tables, until there are `to`. */
function copy(database: BetterSqlite3.Database, from: number, to: number, tables: string[]): void {
  const columnsOf = (table: string) => database.pragma(`table_info(${table})`) as { name: string }[]
  const select = (table: string, own: Record<string, string>) => {
    const names = columnsOf(table).map(({ name }) => name)
    const values = names.map((name) => own[name] ?? `given.${name}`)
    return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${table} as given
      join copies on copies.run = given.${'run' in own ? 'run' : 'id'}`
  }
  database.transaction(() => {
    database.exec('create temp table copies (run integer, copy integer, nth integer)')
    database
      .prepare(
        `with recursive nth(n) as (select 1 union all select n + 1 from nth where n < ?)
         insert into copies select run.id, run.id + n * ?, n from run, nth where run.id <= ?`,
      )
      .run(to / from - 1, from, from)
    // one that is done takes no rows any more
    const run = { id: 'copies.copy', key: "given.key || '-' || copies.copy", seed: 'given.seed + 100 * copies.nth' }
    database.exec(select('run', { ...run, status: "'interrupted'" }))
    for (const table of tables) database.exec(select(table, { run: 'copies.copy' }))
    database.exec(`update run set status = 'done' where id in (select copy from copies)`)
    database.exec('drop table copies')
  })()
}
