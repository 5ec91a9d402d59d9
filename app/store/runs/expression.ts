import { MixlabError } from '../../../engine/errors.ts'
import type { Column } from '../../../engine/runs/column.ts'
import type { FactName } from '../../../engine/runs/facts.ts'
import type { SqlParameter } from '../database.ts'
import { TRAINED_MS } from '../trained.ts'

/** A piece of SQL and the values for its question marks. */
export interface Sql {
  text: string
  values: SqlParameter[]
}

/** Facts as SQL over `run` and its `run_entry`, called `entry`. */
const FACT: Readonly<Record<FactName, string>> = {
  id: 'run.id',
  study: '(select study from configuration where id = entry.configuration)',
  variant: '(select variant from configuration where id = entry.configuration)',
  seed: 'run.seed',
  status: 'run.status',
  started: 'run.started_at',
  time: `${TRAINED_MS} / 1000.0`,
  step: 'run.step',
  steps: 'run.steps',
  parameters: 'run.parameters',
  macs: 'run.macs',
  backend: 'run.backend',
  device: 'run.device',
  notebook: '(select notebook from run_origin where run_origin.run = run.id)',
  cell: '(select cell from run_origin where run_origin.run = run.id)',
  tags: "(select group_concat(name, ' ' order by name) from tag where tag.run = run.id)",
  note: 'entry.note',
  error: "coalesce(run.error, '')",
  key: 'run.key',
  weights: '(run.weights is not null)',
  archived: '+entry.archived',
}

/** The value of a column as SQL: one row looked up per run. Throws MixlabError `option` for a value at a step. */
export function expressionOf(column: Column): Sql {
  switch (column.kind) {
    case 'fact':
      return { text: FACT[column.name], values: [] }
    case 'option':
      return {
        text: `(select value from option where configuration = entry.configuration
          and name = (select id from option_name where name = ?))`,
        values: [column.name],
      }
    case 'metric':
      return {
        text: `(select ${column.value} from metric_summary where run = run.id
          and metric = (select id from metric_name where name = ?))`,
        values: [column.name],
      }
    case 'step': {
      const what = 'runs are not sorted by a value at a step; last, best, min and max can be sorted by'
      throw new MixlabError('option', `${column.name}@${column.step}`, what)
    }
  }
}
