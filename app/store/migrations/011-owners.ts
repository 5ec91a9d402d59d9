/**
 * Adds who trains a run: its owner, the number of the last batch of events that this owner recorded, and whether the
 * owner was asked to stop. Also the cells that the user started and that have not ended, with the process that runs
 * them.
 */
export const owners = `
create table run_owner (
  run integer primary key references run,
  epoch integer not null,
  batch integer not null default 0,
  stop integer not null default 0
) strict;

create table started (
  notebook text not null,
  cell text not null,
  json text not null,
  owner text,
  primary key (notebook, cell)
) strict, without rowid;
`
