/**
 * What runs of the same study, variant and options have in common, found by the hash of it all; what the user says of runs;
 * and pinned baselines. `run_listed` has what lists filter and sort by, without the width of `run`.
 */
export const runs = `
create table configuration (
  id integer primary key,
  hash text not null unique,
  study text not null,
  variant text not null
) strict;
create index configuration_by_name on configuration (study, variant);

create table option_name (
  id integer primary key,
  name text not null unique
) strict;

create table option (
  configuration integer not null references configuration,
  name integer not null references option_name,
  value any not null,
  primary key (configuration, name)
) strict, without rowid;
create index option_by_value on option (name, value);

create table run_entry (
  run integer primary key references run,
  configuration integer not null references configuration,
  archived integer not null default 0,
  note text not null default ''
) strict;
create index run_entry_by_configuration on run_entry (configuration, archived);
create index run_entry_by_archived on run_entry (archived);

create table tag (
  run integer not null references run,
  name text not null,
  primary key (name, run)
) strict, without rowid;
create index tag_by_run on tag (run);

create table baseline (
  study text primary key,
  variant text not null
) strict, without rowid;

create index run_listed on run
  (id, status, seed, started_at, recorded_at, ended_at, step, steps, parameters, backend);
`
