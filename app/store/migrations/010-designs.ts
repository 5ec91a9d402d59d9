/** Studies as they were designed, each design once, and the runs that are in it under which names; see StudyDesign. */
export const designs = `
create table design (
  id integer primary key,
  study text not null,
  json text not null,
  planned_at integer not null,
  unique (study, json)
) strict;

create table design_run (
  key text not null,
  design integer not null references design,
  primary key (key, design)
) strict, without rowid;
`
