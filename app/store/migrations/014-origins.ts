import { guardsOf, ORIGIN } from './013-finished.ts'

const guards = guardsOf([...ORIGIN, 'variant'])

/**
 * What the source of a run calls its variant, which may be called otherwise since. Of a run of before it is a name that it
 * had in a design and that stands in its source, if the one that it has does not. The triggers are made anew: stores of
 * before have expressions as their messages, for which only SQLite 3.47 reads a store.
 */
export const origins = `
${guards.map(({ name }) => `drop trigger ${name};`).join('\n')}

alter table run_origin add column variant text not null default '';

update run_origin set variant = run.variant from run where run.id = run_origin.run;

with named as (
  select design.study, json_extract(planned.value, '$.key') as key, json_extract(planned.value, '$.variant') as variant
  from design cross join json_each(design.json, '$.runs') as planned)
update run_origin set variant = named.variant
from run, source, named
where run.id = run_origin.run and source.id = run_origin.source
  and named.key = run.key and named.study = run.study
  and instr(source.text, run.variant) = 0 and instr(source.text, named.variant) > 0;
${guards.map(({ sql }) => sql).join('')}`
