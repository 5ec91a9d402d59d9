const finished = (row: string) => `(select status from run where id = ${row}.run) in ('done', 'failed')`
const REFUSED = `begin select raise(abort, 'the run is finished and stays as it is'); end;`

/**
 * The object with what a run came to on each of its test examples. A finished run that has none, as those of before, may get
 * it once.
 */
export const outcomes = `
create table run_outcomes (
  run integer primary key references run,
  step integer not null,
  object text not null
) strict;
create index run_outcomes_object on run_outcomes (object);

create trigger finished_run_outcomes_insert before insert on run_outcomes
when ${finished('new')} and ((select status from run where id = new.run) = 'failed'
  or exists (select 1 from run_outcomes where run = new.run))
${REFUSED}
create trigger finished_run_outcomes_update before update on run_outcomes when ${finished('old')} or ${finished('new')}
${REFUSED}
create trigger finished_run_outcomes_delete before delete on run_outcomes when ${finished('old')}
${REFUSED}
`
