import { isShare } from '../evaluate/direction.ts'
import type { ColumnName, RunFields } from './types.ts'

/** The columns that a table begins with: what tells its runs apart, and the metrics that studies mostly compare. */
export function defaultColumns(fields: RunFields, grouped: boolean): ColumnName[] {
  const metrics = ['eval/accuracy', 'eval/perplexity', 'eval/f1'].filter((name) => fields.metrics.includes(name))
  const other = fields.metrics.find((name) => name.startsWith('eval/') && isShare(name)) ?? fields.metrics[0]
  const shown = metrics.length > 0 || other === undefined ? metrics : [other]
  const facts = grouped ? ['study', 'variant', 'seed'] : ['id', 'study', 'variant', 'seed', 'status']
  return [...facts, ...shown, 'step', 'time', 'started', 'tags', ...(grouped ? [] : ['note'])]
}
