import { MixlabError } from '../../../engine/errors.ts'
import type { TaskFloors } from '../../../engine/records/design.ts'
import type { Database } from '../database.ts'

const LARGEST = 100_000 // characters of JSON: ten models and their metrics have some hundred

/** What simple models reach on data and task; null where it is not kept. */
export function findFloors(database: Database, key: string): TaskFloors | null {
  const row = database.get<{ json: string }>('select json from task_floors where key = ?', key)
  return row ? (JSON.parse(row.json) as TaskFloors) : null
}

/** Keeps that in place of what an earlier version measured. Throws MixlabError `store` for what is too large. */
export function keepFloors(database: Database, key: string, floors: TaskFloors): void {
  const json = JSON.stringify(floors)
  if (json.length > LARGEST)
    throw new MixlabError('store', 'floors', `${json.length} characters, expected ${LARGEST} at most`)
  database.run('insert or replace into task_floors (key, json) values (?, ?)', key, json)
}
