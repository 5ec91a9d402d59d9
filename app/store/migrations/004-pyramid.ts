/** Coarser levels of long series, so that every zoom costs the same. A row holds up to 16 entries, one after the other. */
export const pyramid = `
create table metric_level (
  run integer not null references run,
  metric integer not null references metric_name,
  level integer not null,
  number integer not null,
  data blob not null,
  primary key (run, metric, level, number)
) strict;
`
