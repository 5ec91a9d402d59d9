/** Adds the report of the last evaluation of a run, beyond its metrics, as JSON. */
export const reports = `
create table run_report (
  run integer primary key references run,
  step integer not null,
  report text not null
) strict;
`
