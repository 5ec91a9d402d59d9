import { MixlabError } from '../../../engine/errors.ts'
import type { RunStatus } from '../../../engine/records/run.ts'
import type { Database } from '../database.ts'
import { unknownRun } from '../run.ts'

/**
 * Archives all attempts at the runs with these ids, so that their studies train them again. Returns the ids of the
 * attempts that were not archived before. Throws MixlabError `store` for an unknown run, or one in training.
 */
export function trainAgain(database: Database, ids: number[]): number[] {
  return database.write(() => {
    const keys = new Set(ids.map((id) => keyOf(database, id)))
    return [...keys].flatMap((key) => archiveAttempts(database, key))
  })
}

function keyOf(database: Database, id: number): string {
  const run = database.get<{ key: string }>('select key from run where id = ?', id)
  if (!run) throw unknownRun(id)
  return run.key
}

function archiveAttempts(database: Database, key: string): number[] {
  const attempts = database.all<{ id: number; status: RunStatus; archived: number }>(
    `select run.id, run.status, entry.archived from run join run_entry as entry on entry.run = run.id
     where run.key = ? order by run.id`,
    key,
  )
  const training = attempts.find(({ status }) => status === 'running')
  if (training) throw new MixlabError('store', `run ${training.id}`, 'is in training; interrupt it first')
  const shown = attempts.filter(({ archived }) => archived === 0)
  for (const { id } of shown) database.run('update run_entry set archived = 1 where run = ?', id)
  return shown.map(({ id }) => id)
}
