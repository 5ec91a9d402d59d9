import type { RunStatus } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'

/** The attempt at a run that has the highest number. */
export interface LatestAttempt {
  key: string
  /** The id of the run. */
  id: number
  status: RunStatus
  number: number
  /** So many of its events are recorded. */
  events: number
  /** Whether a run of this key is done and not archived. */
  done: boolean
}

interface Row extends Omit<LatestAttempt, 'done'> {
  archived: number
}

/** The latest attempt at each run among `keys` that there is; those of archived runs count. */
export function latestAttempts(database: Database, keys: string[]): LatestAttempt[] {
  const rows = database.all<Row>(
    `select key, id, status, coalesce(epoch, 0) as number, coalesce(batch, 0) as events,
       exists (select 1 from run_entry where run_entry.run = run.id and archived = 1) as archived
     from run left join run_owner on run_owner.run = run.id
     where key in (select value from json_each(?)) order by number, id`,
    JSON.stringify(keys),
  )
  return [...Map.groupBy(rows, ({ key }) => key).values()].map((attempts) => {
    const { archived: _, ...latest } = attempts.at(-1) as Row
    return { ...latest, done: attempts.some(({ status, archived }) => status === 'done' && archived === 0) }
  })
}
