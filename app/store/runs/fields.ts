import { commonMeaning } from '../../../engine/records/meaning.ts'
import { factNames } from '../../../engine/runs/facts.ts'
import type { RunFields } from '../../../engine/runs/types.ts'
import type { Database } from '../database.ts'
import { readMeanings } from '../points/summary.ts'

/** The columns that the runs of the store can fill, each list by name. */
export function runFields(database: Database): RunFields {
  const names = (sql: string) => database.all<{ name: string }>(sql).map((row) => row.name)
  return {
    facts: factNames,
    options: names('select name from option_name order by name'),
    metrics: names('select name from metric_name order by name'),
    meanings: Object.fromEntries([...readMeanings(database)].map(([name, all]) => [name, commonMeaning(all)])),
    tags: names('select distinct name from tag order by name'),
    studies: names('select distinct study as name from configuration order by study'),
  }
}
