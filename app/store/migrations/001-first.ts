/**
 * Runs, their metrics and what cells last showed. In `real` columns NULL stands for NaN, which SQLite does not keep.
 * `spec` and `code` come last in `run`, so that listing runs does not read them.
 */
export const first = `
create table run (
  id integer primary key autoincrement,
  key text not null,
  study text not null,
  variant text not null,
  seed integer not null,
  status text not null check (status in ('running', 'done', 'failed', 'interrupted')),
  backend text not null,
  device text not null,
  started_at integer not null,
  recorded_at integer not null,
  ended_at integer,
  step integer not null default 0,
  steps integer not null default 0,
  parameters integer not null default 0,
  error text,
  weights text,
  owner text not null,
  owner_pid integer not null,
  spec text not null,
  code text not null
) strict;
create index run_by_key on run (key, status);
create index run_by_name on run (study, variant, seed);
create index run_by_weights on run (weights) where weights is not null;
create index run_by_owner on run (owner) where status = 'running';

create table metric_name (
  id integer primary key,
  name text not null unique
) strict;

create table metric_chunk (
  run integer not null references run,
  metric integer not null references metric_name,
  number integer not null,
  first_step integer not null,
  last_step integer not null,
  min real,
  max real,
  last real,
  count integer not null,
  step_data blob not null,
  value_data blob not null,
  primary key (run, metric, number)
) strict;

create table metric_summary (
  run integer not null references run,
  metric integer not null references metric_name,
  last real,
  last_step integer not null,
  best real,
  best_step integer not null,
  min real,
  max real,
  count integer not null,
  primary key (run, metric)
) strict, without rowid;

create table cell_output (
  notebook text not null,
  cell text not null,
  fingerprint text not null,
  output text not null,
  primary key (notebook, cell)
) strict, without rowid;

create table allowed_path (
  path text primary key
) strict, without rowid;
`
