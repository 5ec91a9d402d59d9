/** Multiply-adds of a forward pass of one example; NULL for runs of before. Lists sort by them, too. */
export const macs = `
alter table run add column macs integer;

drop index run_listed;
create index run_listed on run
  (id, status, seed, started_at, recorded_at, ended_at, step, steps, parameters, macs, backend);
`
