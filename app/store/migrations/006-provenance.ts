/** Where a run comes from. The same source of several runs is kept once. */
export const provenance = `
create table source (
  id integer primary key,
  hash text not null unique,
  text text not null
) strict;

create table run_origin (
  run integer primary key references run,
  notebook text,
  cell text not null,
  name text,
  quick integer not null,
  source integer not null references source
) strict;
create index run_origin_by_notebook on run_origin (notebook);
create index run_origin_by_cell on run_origin (cell);

create table run_environment (
  run integer primary key references run,
  environment text not null
) strict;
`
