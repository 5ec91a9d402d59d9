/**
 * When a design was first planned, and when a run of it was first begun; of designs of before the former is not known. The
 * design begun first is the plan of all that share a comparison with it, whatever was archived or renamed since. The runs of
 * a design are found by what tells how they are trained, too, whatever they measure: `trained` in its JSON.
 */
export const plans = `
alter table design add column first_at integer;
alter table design add column begun_at integer;

update design set begun_at = (
  select min(run.started_at) from design_run join run on run.key = design_run.key where design_run.design = design.id);
`
