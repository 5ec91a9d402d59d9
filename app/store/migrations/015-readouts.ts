const done = (run: string) => `(select status from run where id = ${run}) in ('done', 'failed')`
const isReadout = (row: string) =>
  `exists (select 1 from readout where readout.run = ${row}.run and readout.metric = ${row}.metric)`

/** A finished run keeps the summaries of what it measured; those of read-outs come and go. */
const guard = (event: 'insert' | 'update' | 'delete', when: string) => `
drop trigger finished_metric_summary_${event};
create trigger finished_metric_summary_${event} before ${event} on metric_summary when ${when}
begin select raise(abort, 'the run is finished and stays as it is'); end;
`
const isFixed = (row: string) => `${done(`${row}.run`)} and not ${isReadout(row)}`

/**
 * What was read off the weights of runs that are done, each read-out by the digest of what it computes and the notebook
 * whose cells did, '' for none: its value, NULL being NaN, and what that means as JSON. A run shows those that its study has now, as summaries of metrics. Also when
 * each was first planned for the runs of a key: what reads the test and was planned later than the run was over is
 * exploratory.
 */
export const readouts = `
create table readout (
  run integer not null references run,
  digest text not null,
  metric integer not null references metric_name,
  notebook text not null,
  value real,
  meaning text not null,
  primary key (run, digest, metric, notebook)
) strict, without rowid;

create table readout_plan (
  key text not null,
  digest text not null,
  planned_at integer not null,
  primary key (key, digest)
) strict, without rowid;

create trigger readout_insert before insert on readout
when (select status from run where id = new.run) is not 'done'
  or exists (select 1 from metric_chunk where run = new.run and metric = new.metric)
begin select raise(abort, 'a read-out is of a run that is done and has no metric of its name'); end;
create trigger readout_update before update on readout
begin select raise(abort, 'the read-out of a run stays as it is'); end;
create trigger readout_delete before delete on readout
begin select raise(abort, 'the read-out of a run stays as it is'); end;
${guard('insert', isFixed('new'))}${guard('update', `(${isFixed('old')}) or (${isFixed('new')})`)}${guard('delete', isFixed('old'))}`
