/**
 * The ledger: comparisons of networks on a task and its data, in families that share networks. `look` tells what was looked
 * at, the metric and the runs of both, so that the same look is entered once. A network that was trained alone has no
 * baseline, family, place and level until a family is begun, or goes on, that it could have been part of.
 */
export const ledger = `
create table comparison_family (
  id integer primary key,
  opened_at integer not null,
  closed_at integer
) strict;

create table comparison (
  id integer primary key,
  look text not null unique,
  data text not null,
  baseline text,
  candidate text not null,
  family integer references comparison_family,
  place integer,
  level real,
  design integer not null references design,
  variant text not null,
  seeds text not null,
  entered_at integer not null
) strict;

create index comparison_baseline on comparison (data, baseline, family);
create index comparison_candidate on comparison (data, candidate, family);
create index comparison_family_of on comparison (family, place);
`
