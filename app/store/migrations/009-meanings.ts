/**
 * What the metrics of runs mean; see MetricMeaning. NULL in `better` where no way is, in `low` and `high` for no end. Runs
 * of before get what their metrics meant then, by name; where that does not say what is better, the last value is the best.
 */
export const meanings = `
create table metric_meaning (
  id integer primary key,
  metric integer not null references metric_name,
  better text check (better in ('higher', 'lower')),
  unit text,
  low real,
  high real,
  words text,
  compared integer not null
) strict;
create index metric_meaning_by_metric on metric_meaning (metric);

alter table metric_summary add column meaning integer references metric_meaning;

with known (name, better, unit, low, high, words) as (values
  ('accuracy', 'higher', 'share', 0, 1, 'accuracy'),
  ('top5', 'higher', 'share', 0, 1, 'top-5 accuracy'),
  ('f1', 'higher', 'share', 0, 1, 'F1 of the words'),
  ('exact', 'higher', 'share', 0, 1, 'exact answers'),
  ('perplexity', 'lower', null, 1, null, 'perplexity'),
  ('loss', 'lower', 'nats', 0, null, 'loss'),
  ('gradient_norm', null, null, 0, null, 'norm of the gradient'),
  ('step_ms', 'lower', 'ms', 0, null, 'time of a step'),
  ('examples_per_second', 'higher', 'examples/s', 0, null, 'pace'))
insert into metric_meaning (metric, better, unit, low, high, words, compared)
select metric_name.id, better, unit, low, high, words,
  metric_name.name in ('eval/accuracy', 'eval/perplexity', 'eval/f1')
from metric_name join known on known.name = substr(metric_name.name, instr(metric_name.name, '/') + 1);

update metric_summary set meaning = (select id from metric_meaning where metric_meaning.metric = metric_summary.metric);
update metric_summary set best = last, best_step = last_step
where not exists (select 1 from metric_meaning where id = meaning and better is not null);
`
