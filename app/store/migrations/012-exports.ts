/** What models were written from the weights of runs, each time one row; see ExportRecord. `weights` is a step or a word. */
export const exports = `
create table export (
  id integer primary key,
  run integer not null references run,
  format text not null,
  sha256 text not null,
  weights text not null,
  folded integer not null,
  toeplitz integer not null,
  examples integer not null,
  difference real not null,
  written_at integer not null
) strict;

create index export_run on export (run, id);
`
