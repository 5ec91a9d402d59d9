/** What simple models reach on data and task, as JSON, by what stands for these (engine/study/key.ts). */
export const floors = `
create table task_floors (
  key text primary key,
  json text not null
) strict, without rowid;
`
