const FINISHED = "in ('done', 'failed')"
const message = (run: string) => `'run ' || ${run} || ' is finished and stays as it is'`
const isFinished = (run: string) => `(select status from run where id = ${run}) ${FINISHED}`

/** What a run was, did and came to. Its names may change, with those of the study that has it. */
const FIXED = [
  ...['id', 'key', 'study', 'seed', 'status', 'backend', 'device', 'started_at', 'recorded_at', 'ended_at'],
  ...['step', 'steps', 'parameters', 'macs', 'error', 'weights', 'weights_step', 'owner', 'owner_pid', 'spec', 'code'],
]
const changed = (columns: string[]) => columns.map((column) => `old.${column} is not new.${column}`).join(' or ')

/** What was recorded of a run. The levels of its series are not here: they follow from its points. */
const RECORDED = ['metric_chunk', 'metric_summary', 'checkpoint', 'snapshot', 'histogram', 'run_report']

const guard = (name: string, before: string, when: string, run: string) => `
create trigger finished_${name} before ${before} when ${when}
begin select raise(abort, ${message(run)}); end;`

/** Rows that belong to a run; of such a row the columns `fixed`, or all. A row is also replaced by inserting another. */
const guardRows = (table: string, fixed?: string[]) =>
  [
    guard(`${table}_insert`, `insert on ${table}`, isFinished('new.run'), 'new.run'),
    guard(
      `${table}_update`,
      `update on ${table}`,
      `(${isFinished('old.run')} or ${isFinished('new.run')})${fixed ? ` and (${changed(fixed)})` : ''}`,
      'old.run',
    ),
    guard(`${table}_delete`, `delete on ${table}`, isFinished('old.run'), 'old.run'),
  ].join('')

/**
 * A run that is done or has failed stays as it is, whoever writes. What the user says of it may change: its tags, note,
 * archiving, what was exported, and the name of its notebook and of its variant.
 */
export const finished = [
  guard('run_insert', 'insert on run', isFinished('new.id'), 'new.id'),
  guard('run_update', 'update on run', `old.status ${FINISHED} and (${changed(FIXED)})`, 'old.id'),
  guard('run_delete', 'delete on run', `old.status ${FINISHED}`, 'old.id'),
  ...RECORDED.map((table) => guardRows(table)),
  guardRows('run_origin', ['run', 'cell', 'name', 'quick', 'source']),
  guardRows('run_environment'),
].join('\n')
