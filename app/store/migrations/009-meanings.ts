/**
 * What the metrics of runs mean, as JSON; see MetricMeaning. Runs of before get what their metrics meant then, by name;
 * where no way is better, or none is known, the last value is the best.
 */
export const meanings = `
create table metric_meaning (
  id integer primary key,
  metric integer not null references metric_name,
  json text not null,
  unique (metric, json)
) strict;

alter table metric_summary add column meaning integer references metric_meaning;

with known (name, json) as (values
  ('accuracy', '{"better":"higher","unit":"share","bounds":[0,1],"words":"accuracy"}'),
  ('top5', '{"better":"higher","unit":"share","bounds":[0,1],"words":"top-5 accuracy"}'),
  ('f1', '{"better":"higher","unit":"share","bounds":[0,1],"words":"F1 of the words"}'),
  ('exact', '{"better":"higher","unit":"share","bounds":[0,1],"words":"exact answers"}'),
  ('perplexity', '{"better":"lower","bounds":[1,null],"words":"perplexity"}'),
  ('loss', '{"better":"lower","unit":"nats","bounds":[0,null],"words":"loss"}'),
  ('gradient_norm', '{"bounds":[0,null],"words":"norm of the gradient"}'),
  ('step_ms', '{"better":"lower","unit":"ms","bounds":[0,null],"words":"time of a step"}'),
  ('examples_per_second', '{"better":"higher","unit":"examples/s","bounds":[0,null],"words":"pace"}'))
insert into metric_meaning (metric, json)
select metric_name.id, iif(metric_name.name in ('eval/accuracy', 'eval/perplexity', 'eval/f1'),
  json_set(json, '$.compared', json('true')), json)
from metric_name join known on known.name = substr(metric_name.name, instr(metric_name.name, '/') + 1);

update metric_summary set meaning = (select id from metric_meaning where metric_meaning.metric = metric_summary.metric);

-- of masked tokens and of spans the accuracy was not what variants were compared by
insert into metric_meaning (metric, json)
select metric, json_remove(json, '$.compared') from metric_meaning
where metric = (select id from metric_name where name = 'eval/accuracy')
  and exists (select 1 from metric_name where name in ('eval/perplexity', 'eval/f1'));
update metric_summary set meaning = (
  select id from metric_meaning where metric = metric_summary.metric and json ->> '$.compared' is null)
where metric = (select id from metric_name where name = 'eval/accuracy') and run in (
  select run from metric_summary where metric in (
    select id from metric_name where name in ('eval/perplexity', 'eval/f1')));

update metric_summary set best = last, best_step = last_step
where not exists (select 1 from metric_meaning where id = meaning and json ->> '$.better' is not null);
`
