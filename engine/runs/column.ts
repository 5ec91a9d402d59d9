import { MixlabError, suggest } from '../errors.ts'
import type { MetricMeaning } from '../records/meaning.ts'
import { migrateMetricName, TEST } from '../records/splits.ts'
import { type FactName, factNames, isFact, SHORT } from './facts.ts'
import type { ColumnName, RunFields } from './types.ts'

/** The values of the summary of a metric that a column can show. */
export const SUMMARISED = ['last', 'best', 'min', 'max'] as const
export type Summarised = (typeof SUMMARISED)[number]

/** A column of the table of runs. What a metric means, all runs agree on that have it. */
export type Column =
  | { kind: 'fact'; name: FactName }
  | { kind: 'option'; name: string }
  | { kind: 'metric'; name: string; value: Summarised; meaning?: MetricMeaning | undefined }
  | { kind: 'step'; name: string; step: number; meaning?: MetricMeaning | undefined }

/**
 * The column that a name means (see `ColumnName`); an option or metric may be named by its end, e.g. `batch` for
 * `train.batch`, where only one ends so, or where it is a metric of the test; `eval/accuracy`, where no run has that, means
 * `test/accuracy`. Throws MixlabError `option` for a name that means none, or several.
 */
export function resolveColumn(name: ColumnName, fields: RunFields): Column {
  const fact = name === 'tag' ? 'tags' : name
  if (isFact(fact)) return { kind: 'fact', name: fact }
  const option = Object.hasOwn(SHORT, name) ? SHORT[name] : undefined
  if (option !== undefined) return { kind: 'option', name: option }
  const [, value, of] = /^(last|best|min|max):(.+)$/.exec(name) ?? []
  if (of !== undefined) return metricColumn(metricCalled(name, of, fields), fields, value as Summarised)
  const [, before, step] = /^(.+)@(\d{1,15})$/.exec(name) ?? []
  if (before !== undefined) {
    const metric = metricCalled(name, before, fields)
    return { kind: 'step', name: metric, step: Number(step), meaning: fields.meanings[metric] }
  }
  if (fields.metrics.includes(name)) return metricColumn(name, fields)
  if (fields.options.includes(name)) return { kind: 'option', name }
  if (fields.metrics.includes(migrateMetricName(name))) return metricColumn(migrateMetricName(name), fields)
  const metrics = endingIn(name, fields)
  const options = fields.options.filter((option) => option.endsWith(`.${name}`))
  const found = only(name, [...metrics, ...options]) ?? unknown(name, name, fields)
  return metrics.length > 0 ? metricColumn(found, fields) : { kind: 'option', name: found }
}

function metricColumn(name: string, { meanings }: RunFields, value: Summarised = 'last'): Column {
  return { kind: 'metric', name, value, meaning: meanings[name] }
}

/** The shortest name that `resolveColumn` understands without looking at the fields. */
export function columnName(column: Column): ColumnName {
  if (column.kind === 'step') return `${column.name}@${column.step}`
  if (column.kind === 'metric' && column.value !== 'last') return `${column.value}:${column.name}`
  if (column.kind !== 'option') return column.name
  return Object.keys(SHORT).find((short) => SHORT[short] === column.name) ?? column.name
}

function metricCalled(column: string, name: string, { metrics }: RunFields): string {
  const found = [name, migrateMetricName(name)].find((each) => metrics.includes(each))
  return (
    found ?? only(column, endingIn(name, { metrics })) ?? unknown(column, name, { facts: [], options: [], metrics })
  )
}

/** The metrics that a name without a split may mean: where there is a test, that one. */
function endingIn(name: string, { metrics }: Pick<RunFields, 'metrics'>): string[] {
  const test = `${TEST}/${name}`
  return metrics.includes(test) ? [test] : metrics.filter((metric) => metric.endsWith(`/${name}`))
}

function only(column: string, found: string[]): string | undefined {
  if (found.length > 1) throw new MixlabError('option', column, `means one of ${found.join(', ')}: which?`)
  return found[0]
}

function unknown(column: string, name: string, fields: Pick<RunFields, 'facts' | 'options' | 'metrics'>): never {
  const common = [...(fields.facts.length ? [...factNames, ...Object.keys(SHORT)] : []), ...fields.metrics]
  const ends = fields.options.map((option) => option.split('.').at(-1) ?? option)
  const close = suggest(name, [...common, ...ends, ...fields.options])
  const known = common.length === 0 ? ' (no run has a metric yet)' : suggest(name, common)
  const what = fields.facts.length ? 'no such fact, option or metric' : 'no such metric'
  throw new MixlabError('option', column, what + (close.includes('did you mean') ? close : known))
}
