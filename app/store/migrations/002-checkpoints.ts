/**
 * What runs keep as objects besides their latest weights: the best ones, and the state to go on from. `step` is the one
 * that it was taken at.
 */
export const checkpoints = `
create table checkpoint (
  run integer not null references run,
  kind text not null check (kind in ('best', 'state')),
  step integer not null,
  object text not null,
  primary key (run, kind)
) strict, without rowid;
create index checkpoint_by_object on checkpoint (object);
`
