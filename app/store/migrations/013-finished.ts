const FINISHED = "in ('done', 'failed')"
const isFinished = (run: string) => `(select status from run where id = ${run}) ${FINISHED}`

/** What a run was, did and came to. Its names may change, with those of the study that has it. */
const FIXED = [
  ...['id', 'key', 'study', 'seed', 'status', 'backend', 'device', 'started_at', 'recorded_at', 'ended_at'],
  ...['step', 'steps', 'parameters', 'macs', 'error', 'weights', 'weights_step', 'owner', 'owner_pid', 'spec', 'code'],
]
const changed = (columns: string[]) => columns.map((column) => `old.${column} is not new.${column}`).join(' or ')

/** What was recorded of a run. The levels of its series are not here: they follow from its points. */
const RECORDED = ['metric_chunk', 'metric_summary', 'checkpoint', 'snapshot', 'histogram', 'run_report']

/** The message is a constant: before SQLite 3.47 an expression there makes the whole store unreadable. */
const guard = (event: 'insert' | 'update' | 'delete', table: string, when: string) => ({
  name: `finished_${table}_${event}`,
  sql: `
create trigger finished_${table}_${event} before ${event} on ${table} when ${when}
begin select raise(abort, 'the run is finished and stays as it is'); end;`,
})

/** Rows that belong to a run; of such a row the columns `fixed`, or all. A row is also replaced by inserting another. */
const guardRows = (table: string, fixed?: string[]) => [
  guard('insert', table, isFinished('new.run')),
  guard(
    'update',
    table,
    `(${isFinished('old.run')} or ${isFinished('new.run')})${fixed ? ` and (${changed(fixed)})` : ''}`,
  ),
  guard('delete', table, isFinished('old.run')),
]

/**
 * A run that is done or has failed stays as it is, whoever writes. What the user says of it may change: its tags, note,
 * archiving, what was exported, and the name of its notebook and of its variant.
 * `origin` are the columns of an origin that are fixed.
 */
export const guardsOf = (origin: string[]) => [
  guard('insert', 'run', isFinished('new.id')),
  guard('update', 'run', `old.status ${FINISHED} and (${changed(FIXED)})`),
  guard('delete', 'run', `old.status ${FINISHED}`),
  ...RECORDED.flatMap((table) => guardRows(table)),
  ...guardRows('run_origin', origin),
  ...guardRows('run_environment'),
]

export const ORIGIN = ['run', 'cell', 'name', 'quick', 'source']
export const finished = guardsOf(ORIGIN)
  .map(({ sql }) => sql)
  .join('')
