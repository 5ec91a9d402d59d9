/**
 * Histograms of weights and gradients, and weights kept on the way. `weights_step` is when the latest weights of a run
 * were taken; NULL for those of before.
 */
export const weights = `
alter table run add column weights_step integer;

create table tensor_name (
  id integer primary key,
  name text not null unique
) strict;

create table histogram (
  run integer not null references run,
  tensor integer not null references tensor_name,
  kind text not null check (kind in ('weights', 'gradients')),
  step integer not null,
  data blob not null,
  primary key (run, tensor, kind, step)
) strict, without rowid;

create table snapshot (
  run integer not null references run,
  step integer not null,
  object text not null,
  primary key (run, step)
) strict, without rowid;
create index snapshot_by_object on snapshot (object);
`
