/** Adds whether the number of an attempt at a run came from outside, such as from a queue; else the store has counted. */
export const attempts = `
alter table run_owner add column outside integer not null default 0;
`
