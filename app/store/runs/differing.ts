import { parseFilter } from '../../../engine/runs/filter.ts'
import type { Database } from '../database.ts'
import { runFields } from './fields.ts'
import { SOURCE, whereClause } from './query.ts'

/** The options in which the runs that pass a filter differ, by name; see `Host.differingOptions`. */
export function differingOptions(database: Database, filter: string): string[] {
  const where = whereClause(parseFilter(filter, runFields(database)))
  const found = database.all<{ name: string }>(
    `with shown as materialized (select distinct entry.configuration as id from ${SOURCE} where ${where.text})
     select option_name.name from shown
     cross join option on option.configuration = shown.id
     cross join option_name on option_name.id = option.name
     group by option.name
     having min(option.value) is not max(option.value) or count(*) < (select count(*) from shown)
     order by option_name.name`,
    ...where.values,
  )
  return found.map(({ name }) => name)
}
